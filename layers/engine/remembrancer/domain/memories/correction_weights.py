"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -5.699
LINEAR = (
    0.69438,  # cosine
    0.59402,  # nearest
    0.17866,  # shared
    0.11349,  # most shared
    0.26656,  # overlap
    -0.023137,  # left out
    0.024259,  # added
    0.19405,  # value
    0.18763,  # unit
    0.42872,  # both values
    -0.025446,  # name
    -0.050944,  # negation
    0.063173,  # wrong
    0.093898,  # cue
    0.30526,  # change
    -0.090861,  # question
    -0.10416,  # elsewhere
    0.014641,  # person
    0.076884,  # addition
    0.07521,  # length
    0.066472,  # clauses
    -0.1296,  # assistant's memory
    -0.16391,  # assistant
    -0.0099634,  # answer
    0.12692,  # statement
    -0.18186,  # goes on
)
SQUARE = (
    "5w7oPvasZz7x+7m9+/uvPWqvGTyjOy0+eBUwPuEogT+5ExA+tQmsvxOnDj/aXJ89owA/P/EryD4vugA/aNCxvlopOb8jvsI+ffbLvbACmD4oXAA/"
    "d5phPi1XuL5ELSA/txAHP3EBh79ac3G/Z/CdvtawVr67D+0+LYvdPdWdBj6D3AU/zvv5v4kyvb1BPTA/w9WWPt6tpz/Ppk0/aOK3PheMQT/rH0g/"
    "HGMGv/Ve4T4uBIQ+ThR8P9Pdqj5142C+k5yEvs+qnD5XJAy/X4PMvSArhb0Jsle+7WuHPo1M4j1LDp6+DCvHvrfBJr6rW40+aFEMPyJaHr40P94+"
    "7xP4PsMKZr8drQq+X/zOPcsDrD5HuLY9DeqfvIwKcT404Ry/TpiKv0tn/T3nnBG/fRRIvHxV3z23BSQ9WRHUPLy9Yj3WHdw8uEQ0v9zvOD6KrV69"
    "wJevPQawpT4Gv3s+IyN8PakPjL2yOIK+9IgWPjNfXD1WndI97g8fPURVu70eE8W8ceeyPW2lvL2qJPw+Ohm4O7mLGL4CX7Y/aWw9vuVuNkBuMMs/"
    "/x7DP2eiKz/UqVQ/fkNlv7aOmb/aTADAoScPwMzuZ8BXaUS8H1tyPg6j4z0eEc2+rCDePyewqD5O5c8+xMgXO62yTbqvhtk8fmsIPgiFlD5LqUW9"
    "AWKgO4MZEL4zxy09+klNvYVJM71mnZS98IALvJz6PbxVOwq8InmdvVtw0byBMDW9LbJpPTplqTtx94a9868DOzC6GzzR9ZC+Ry0gvWpytLxdZKU8"
    "hvMMuzpBUz1szaY7XNgtve+xsTsLwgU9dchJPW2cSzvX4Fk8TkWDvSEmsb1kDZO9OBDfOxroWr2E8mM+OdlBPgKB2z5jj4e/T59oPOheYz+On38+"
    "MLGFPOT/Fr4qVPC+nwgRvzK6Fr3Jl549I/HXPkNGUT7Y50m9PDEIPe5uFT5OLFW+OdlBPnXA3j9N303AbQpmvwAAAABVyUdAE1kKPbycQ782tS/A"
    "A13nv90eEL9cbNY979klPopFjD8OeDQ/8wSwv5Ukgz5GVaM/AoHbPn+7m7+0c9M+AAAAAOlnx75nvEm/tpqXv5r4IL+MoRY/YclNQFwQaT16g8k+"
    "y0N5vyeovr8COai+hV8FvzwklD99dNC834iOvrGXFUAvzHQ+IjYJP0KQKr7kqOK+gvAVv72Brj5Mkze9i9/gPXgOZb45pmG+mLWtvokqebxUZwy+"
    "UqpQvUixZL63NSG+/4dnPg1lGz8dP6W+DjBUvkQ86z6Kcxw90ibDvvDQ1L4fOAm+uclmvuHdiL3WzyO+mGCBPV9SEb5H8m4+IZ2svfkNnj4AAAAA"
    "zxrlvcaYpDuA+Rc/Uu6/vgAAAAAAAAAACrm4PQAAAABnTcA9Bc3TvrFqtr7g54++S0OSvqezDj/kgN49rzQmvshxub5iq/g+2iyBvoSxwD0AAAAA"
    "Z0qcPhYTOz8div06Zd6Dv1s86j4McJQ9tRyyPkIfAb+SO4i9xiO4vJyZHT6aOrG+MhW6vcgq4706ze++T6CyvWJTwL2vzKu8uCcQvi9jnr1ic1O+"
    "b0RkO2ZGS71/T9W9TSd9P1hSEb8OBSy9dFIcPYvjBL66aHG9ETolvmAkWL1YlUW+PeBvPOOhKT4mT2U9SeYyPNdOYL5ogqu+L6X0viXJPTyKqHG+"
    "dHWdPYnZZz2jSYG+nuRmvmG2Ar/IY+S+SiUcPj466b55kck7zKqGPaaBqr3Igha+dMSevR/0ijw4OQG+MM25Pdcvgb7jlrC+f4Ohvpv9DD5mNkm+"
    "JbUEvv2MjD9EcC4/9b2JvXTZHb3M1ie+XZKePszWJ74YSM29cz0jvN6/LL5jT5m+cfYBPuEwRr44Ojq+"
)
"""Of the products of two features, row by row, as float32 in base64."""
