"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -4.9961
LINEAR = (
    1.9232,  # cosine
    0.65836,  # nearest
    1.2776,  # shared
    0.12137,  # most shared
    1.5181,  # overlap
    -0.00042346,  # left out
    0.097615,  # added
    0.12363,  # value
    0.64807,  # unit
    0.28234,  # both values
    0.10875,  # name
    -0.12732,  # negation
    -0.075567,  # wrong
    0.22416,  # cue
    0.21376,  # change
    -0.292,  # question
    -0.18011,  # elsewhere
    -0.054332,  # person
    0.031552,  # addition
    0.030051,  # length
    -0.23653,  # clauses
    -0.15456,  # assistant's memory
    -0.22969,  # assistant
    -0.16138,  # answer
    0.12954,  # statement
    -0.074898,  # goes on
    2.1041,  # sentence
    0.15403,  # nearest sentence
    1.6379,  # clause
    0.70612,  # nearest clause
    0.12836,  # before
    0.036215,  # most before
    -0.13214,  # value before
    -0.27283,  # session
    1.2473,  # number
    0.15233,  # corrects
)
SQUARE = (
    "rhCLvUFoo0Ctu4o+xL42viDGv7/9Voq+RbtjPnaJMD/kXSW+Oa3tPqLTnr5SjKk/8NHuvtBZAr8ZdBG+jHeJP98WJz5DrzG/arEcv0wkezxYfr29"
    "gqMtvyXInb+Brwa92JWCPxefXj7V10a/WIOZPx7hGcBYbcc/Qcpxv8ghuzxdrri/Y0HJvojlBMAilX0+H9wAwDzm4b6iixy/FEm0PrNFlb1oDu+8"
    "260Mv7wb8L84V6+/Tb6rPhlpQz9W84A/tntivy29Ar9gn5k+Y7GZv5ZSBL8REZ+/Cw6UvhfN8r0x6OS+s9h/PsMusz7kw0s+pbSnPXqSPkBpajTA"
    "N9agPx4CYsA1Qoy/XyqlvnytHsB17iG9HCzNP1Gj5L2zbiS+atOHPKEL/76cbte8/eXEPTXWDr/S8BW+X4Wiv6MTsL74uiS+Bn88v/C4Gz92xhw+"
    "+sNJv3lQJ73uMiU+FB0dPmegEL6fjqk9CYX4vaDznz2uu68/2Uy8Puddij6dyps+Odgev2kqeD7y1gO/FRWbvtUJG77g/MC+F6YnvyhyBL96RJG9"
    "qAqxvIf8kT+f4dE8ZdSCuxunAL6kWMc+RenDvVHnY70zJoS6qojGPXxjkD1Zz5I9Ja2WPkiV8b0hjYG+EhuNPpmgr71g2vY7n9vrvoBhHb6hjDy/"
    "0qOwO8eOBD/VYL4+j0RFvsEO5D7RwQK/6285Psz0QL2Y9Ls81xeOPA46v73LqKA9KSiYPZFgb743mfm+nHAvQHjBpr4LPv4/7ce/QL38xz/7yxy/"
    "0g3XPzv9ur/4Goi/TP8PwN153b/JRoTA5wI4vzhOAL9ostK8nicsP5fK0sA11IG+KpxAPz27ib9X4wNAXXv1v/BwKT9Nyac+KjLUPsIUlkCdY7e/"
    "zo78P5VlYr1xGma8q7IqPFiPaL1XvMK95s81Poa58DxXHAA+3Vgev164FL3LJ929M3AivsRHWLzLDBY+EJjxPVgtDL2AkE691EkSvhWJsL2Tx/o8"
    "RgIePSy07r1HAWw+A60TvjZn0D3E/t08kNmbvBND07w4yBc+FFmBvZ4aOj5NQ/I8VDCBu+CJxLyYNYy+8jXzvbvcIj2hzTe9WFBKvtQ9Ob02zZq9"
    "q7GOvBsDPD3Jm2q8HMKVO6eiDL0TAvG8aYdSvd39Ar5OclA7+/wIu84fGryL3Zw+cAYeu4LffD6m+bk9qxfLPDoH/TtY+Rc9rQiXvefh6L1X6SW6"
    "Cg4fPh/tRT9kjpA+8GhMvzx0qryfkyo+pakWP+Qj0L4pCZg+akuOPn7afb05Oia/suqdPbFrvj1tf6s9eghsPq5Ki7xnKEq+rrlqPkEziD+EdbK9"
    "DVN+Paeeuj2GVju+uGjHuxgBMj9bymG+ZGEeP4Ppojwf7UU/wffOPy2wsz3R9I49AAAAAN2RRb7VmSA/fqAYv3sGCr5LhtW+TPb7PgZbGj8imY++"
    "oh3SvTbLkD5+QeQ/SWTLv9PkN77elyVAtcUrQKw7U8Csaj/AYQwUPjsj/DsQrq8/NpjWvvCsmj5lTOC9ZI6QPuymAMB2JIC+3mn/v4iMwL6sxy0+"
    "ElLkP4DcEr9cY1E/8hNJP6XRfzwYN5k+DY63veO3B7+fWSC+5a2YPI7a8btDWp2/qJpGPo6aVUAAUE0+nsoRvzn+5DwhyinAo8fSPg1iBMANzXY9"
    "XbjePchBGj5/hZlAuOZ0vrhPtj2tIdI9x0n5vFB4lb3zs0C+LWz0vanXTb4tShc+V5gQvL9s0b6tioQ+esYYP250CT+Cbqw9wYOVPRtjj7/gIdw+"
    "rrcAvm+E9b/9PZk+x/IgPq39Hj4dXwK+L0L+vQTQRL5Sq5a+ZeyKPlgEAr+ihjE/0Rp/OGmYWz3caaA9cLzmvtk3wz6VZU6+tjBYvjPwrz4Ro9C+"
    "BkD4vgbujr8DcLQ+JDLkvmXAgT0Yn1q+VV2kPomLFL7euaw9HMOavekHzD5rgXA/FaGwvoVP57+emBXAQJkdwJ6Otr7eYDU/EAzYvwAAAAAAAAAA"
    "fkgavwAAAAAOMQ5Avi1PQNC/aEDA3RhAwKv5P8wzLz4TrUhADFn4v+dITkApTBa/ZYtlPv06ur5ZTUW/UwEqv6y/B78wTyG9wNHVPXkE1r4w2gQ/"
    "Pe6JPDNevLtA5sq8AAAAADGcIL7fdGc/Ard2vfj3Lj0x3LE+n4CBPfjDhT6IyzO+pOqHvWaf071u5Fo+64eaPwzshL5zmLS9blIXvlfXXL6DUsW9"
    "Yi1Yv7TjYD8u8Zk/N6m8PaHsX79t4u49gkpcv8IOvT++UR0/dL1IPqJTPj7Idna+4UzXvbWtuD8mSzM8KIGVvgXezbtCn8I+NAqAvNNbdDyIp3o8"
    "D944QD501L9c1yFA5+5lP0Ivtj6XCMS/t+R9v/9Wzj7NM/A9t6jAvjbDFzx0/p4+5PbvvlCJd7+eOA8+l244vgMylD2PW6a+boF1uxZ6Hz4bnB4+"
    "NqBYP1VUbL49K0Y+HadlPVhq3j7HMuS+UHe/Plpkpb69B5q82WpNPvtV5j50liC+HAdUv/caBT3dil69vD6kvPmHQ731rg4+XWaAvootsD8TumK/"
    "1W8yvhGGIL8MB5U/fXo/v+oqDz8+pjE/SBNfv2BjZD6rkQJAp9fGvuZjOr61gwc+Bz0BPXLZN75qadi+NxoKPyTncz+/YL8/HpnsPiQf7z4Brrk/"
    "sxiNPyv4rbsWg3Y+HCkBv78UDj3nJGA/Qm3xvmjkiD8eV447qOo3vmX62bq6tYK8p9RuvquBVL6pSCm+gn4OvPaSMj4PlKe+RRgRvo8FQb7zGcE8"
    "R2Bxuxao6DroLN69NJ1xvv6O6Tx/zBI+u/KZPaouqr0/Poi+4LtMveDkrLzr0DU/LwRzPgnuLz4S/xU/n7UKPUaYLT1pnYi+6wOXvtf25T7YJXc8"
    "MUQevvIMI0CXYGo/Zy5/vnHmFj8PQPa99y5XPQnAvj4mjkM/ab6+usvXUj0Fjge/iod/u58IkL2oigC+oDJrvnKSAj+gMmu+3me7PUFZuj6UJAG/"
    "+WZcP390sj1Fncc+kk43vnvLYj+v0dA9KqaivenQmz2CQCW+PnONvtA8ET64szk/PERWvo6DOr+9Rye9rDEoP5o+FD8DVbw/quEwv4xkDL/iahy+"
    "oaYEPra3lr0+KFo/O17VvsoF+D4Nh289qATePQbs1LxjKzo+UIe4vsTq1z47O4k9KmSZvbixUb9Rr6K+fnkNv1sjhb71UfG9ORVHvmkdFT9sL6u9"
    "4NEsvpsol71l5+O/eASBv4ZuEsA3ccw/+rMmP4Fdzz1TBQw/pYTuPhSkRD8XWp47cXiBv8jdGL91xArAFEAjP8Yrpr5G7au+JuIhP25yHcC72RI+"
    "W+TVv3kYoUCXBBK+ckpOPre0nj4dsWS+0ADFv1o3pz5ymKW/8ETPvv/vDr5u1To9PiuXPjUwm7+S1YG84b+FPLkHY73n6qW+ie5jvu1wHz9KC6m8"
    "MbGMO5A1Z75/yDK9L20svqkhuLzSTge+Gh8wvuUmp7+VcNo9HrCLvofhZL9TGqA9f906Pz6vDb5tDn69"
)
"""Of the products of two features, row by row, as float32 in base64."""
