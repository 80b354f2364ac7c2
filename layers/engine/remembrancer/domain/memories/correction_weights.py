"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -4.2955
LINEAR = (
    1.3809,  # cosine
    1.2598,  # nearest
    1.0359,  # shared
    0.12259,  # most shared
    1.0238,  # overlap
    -0.0046429,  # left out
    0.10374,  # added
    0.17928,  # value
    0.49774,  # unit
    0.40248,  # both values
    0.12587,  # name
    -0.10854,  # negation
    -0.22409,  # wrong
    0.23589,  # cue
    0.20685,  # change
    -0.26096,  # question
    -0.17233,  # elsewhere
    0.018388,  # person
    -0.020959,  # addition
    0.046148,  # length
    -0.13676,  # clauses
    -0.13032,  # assistant's memory
    -0.16465,  # assistant
    -0.17428,  # answer
    0.1866,  # statement
    -0.085219,  # goes on
    1.4843,  # sentence
    0.62972,  # nearest sentence
    0.99715,  # clause
    1.1464,  # nearest clause
    0.072451,  # before
    0.066139,  # most before
    -0.14739,  # value before
    -0.2901,  # session
    1.134,  # number
    0.16034,  # corrects
)
SQUARE = (
    "syP4Pn4ZhEAK/9o+oSgNvotlA8AwKVy+xYI6PjRKHD4lt4O+eLhCv+AmhjxuGXU/ZixCvoerZL7KzXW+WktVP3fxgDzbS1q/PcDXvs4ygL2V5cO9"
    "T/EDv12Wl7/WPfE9GCBgPwKCoD6vaOC+Fb0cP27PyL9oFM8/vqAlv1sZA76GRZa/8nn8vpdjw78sYFM+EVGsvx9j1r83QAO/xYYgQEI+m7035Ik9"
    "OuXMvXvnTcDK6zS/rfvKPkMR5D4fkKg/pZTrvrxhMr6D9iY/wrNWv6GPjL5C/oS/qXYpvqteLj8Jak8+0TSFvvbMmT1MhCo/6ZC3PriLyT+k/vS/"
    "b90aPuorHMApraS/gzp3vtVHIcBDxvq+kspcP7rgPr2Nxsu95sMiPfVOsr6t3xy9i+SoPW5CCr97Vz4+eGRuvxzcx74UHwe+8Llov1K8xD4nW5E+"
    "Nrucvmvp4r15JL09NN9ePj71zb2b5nS8iU+4vQJ2qb37xpw/xPhvPmCg1D1nJgI/TWhUvz1/jD71xIK/hJZQvvWQKb4gc6G+XEVJv2Gb3r7toqS9"
    "/2YnvVO4mj/jTNo8U52oO9rRBr5TVt8+1CmEvjiFtDyFvmo8FQOcO/sbED6t05Q9oSIBPrYYTr7TNJe+gozoPU00jb1Hmpc9o1XBvtyTKb00RhC/"
    "6Q22PK57sj4fwaQ+HQ6IvXjFhj6GSMy+mvwDPp1aRb3EdkU8oNR0vDyrTb4EKJI9SjYXPsePiT1fCfy+cvBYQHrp8r/aCYY/Y1GwQJWosD9u+6u/"
    "p7OEP8FL9r9XBPO/+Sa9vwYXw77sHzfA9jfuvrHrIL+nEBW+0Qy+P97Z38CyIO6+SvslP/QGkr8eqi1A4Rvvvxs65j849ym93ynqPhblmEBAn7O+"
    "5pgRQJAn/b3Rj0i8kttEPEo0g7xHjLO9Ju0CPgvhzjyflsA94x0Dv9/qpzxGA4K9jr8Mvoyym7zs56A9WtD/PcVC8LwEATO9oBP9vSgMmL1KBA89"
    "u4AgPYYRwr10oxs+A30Qvb3m8zxDQz49OWrbvCGdjbwA1w0+/l6MvbOXBD5T7hA99qW8uZlIhrxn8Ha+83CJvab8Mz3oJKC8jV/uvc0DRr27ioa9"
    "iQ+2vLj1RT2PLRO8fozCu12x1by/VNC6hltdvTR49b0zZxY8q+emPAb8Y7wZJ2c+ixaZPQ1cPD7NjC8+LO6/PD3EJjwPUDg9uwOivelhB74v7lc7"
    "kaGBPg50JD8iEs4+WTtVv4oD1b0h0we+Kz4IP90Nwb6oU5U+5VpqPM6MBL7fsG2+gjQtPXpnsT06H7E9OEfxPis3Rr7qYO29MuHePnFxRT/wDMK9"
    "ewLlvUCMqD6gLTm+OrsNu2gKLj+lCwe+X0EXP0iOTzwOdCQ/VMyzPxR5jr3hnKe+AAAAAEFctz1yEII+oNl9v6TolTyOxg6/68Ccu/iDtD4NMAC/"
    "lv1vPrMMzTx6idQ//6W8v6P5gz5lhFFA2F4yQFJ7A8CVWC3AlKizvfe6rz310N4/URkMvyK6rj4u7bq9IhLOPrz71L8CO7m+Y3iIvwxE8b7oW0i+"
    "10KrP0PcMb9H8gY/BL5UP3ajeb1uiJk+wf3EvVxohr6UHq++RbJzvoodPz2AwbA+0kkJvgEzF0ADwTE+2NUev0Rh9LwnJivAPqmSPkTJ5L9AKgE+"
    "iOMAPr8BLD6JC1xAuxhKvjQfRr4j4I4+9H5jvlDl9r3N7RW94hvfvTk0aL6ybic+nwFJOx/q5b5yAYU+FkoKP/qHZz6qFNa+K1vIPvAagr9yXcw+"
    "sM/eveiBz7/zfeE90lT5PTjr4T1OSd69lEwIP/3oPb7YDk++pd7GPlW26r7GcA4/mP6iPlWkCz3R4XA9RRbQvgFP/T4AEU2+AXBWvj4bbT5NjIu+"
    "hlkkvuCGU78inrI+njyLvrTZAz5TKak8bmc/PuOniTxtB6w9aHhlvptGPT9eVUk/6Ahrvnx+jL+nbgDAsKlmvy7Jfb4GBdo+fnKJvwAAAAAAAAAA"
    "Dp3pvQAAAAB8bKg/3d8yQDtFSkBteB5AmLIKQB1M1TweuApAIbcJwEc7QkDaxRO/BoxxPk66Jb70TjG/EaIRv8og5r5ymEA8frLNPOnZq74I3+M+"
    "MsOWPp7Owz20cSA+AAAAAJarp75nKqo/rSkKvpzRXj6rheE9Yq7EPcFzBz/cCSK+RRHGvLiTBr5+z1M+B8d/P905jL5N05u+i/QQv4MGUb6OFpK9"
    "8BVtv7gqKD86u18/52gKPo29Dr8B6zY+843Jvh/Qrz883SI/f3+kPNSMUz488t69i3DTvO8XqD+U7GM8zZyFvoOgEz4Q14g8GQ55PrzAKTz0gYq9"
    "/ecoQL6oir9mFRVAL5FTP/AY3D0J/J6/G8tzv80Wpz2Ka5m9CtG2vht7LL0LF6o93I/hvh1Thb9NWPs9KXcwvlXFND4DMyW9cbSRPcSP9j2+9sM9"
    "x4iIP9u18jyZYgE+k6iYPh0Dtj47r5K+IEc8vU/O2L5+hbW94UxEPoVVTz+F+pa9Sw8Lvyfg8DyuopY8ibgDvheGSL0vz7o9G1cUvtlrtD+btWO/"
    "3AAhvtPmBr+401k/tU48vyG5Kz8zhBs/dy5nv9hHiz7sawBA8YtxvosL6D0RBws+TbGrvAVqBr5jtuC+M7SoPgZz2T6IBLY/udjqPtrc3j2K4FE/"
    "gL0nPz654r3fAdg+5HFKPYobnbxbj0U/YLESv+4+nz7kGCa8C9IqvuMf5jwowri8GSBTvrm9Lr4J4eK9DZvBvPcBAD3dIXO+AflJvtLCh72q97k8"
    "v9+IOp439bzaXAi+nWYgvrb78Dy6/wo+NLQHPiFdIb0YdXG+z74uvVXdiz2joAk/3CkGPzODAz0MrlA/c3hgPdJeeD3F96K+p/20vsfX0j614uk8"
    "T3MFvoU8AEDxZVc/29o9viTDUj+ZAQK+jUk4vqiCXD6BvvY+nBQ4viblDr0D+fy+vu2EvFeDTT1uDoC9+Zkovtb4mz75mSi+FCRiPmaGmD6lHD6/"
    "Cq9FPzVhT760XaA+2k7SvWIbNj+I2Q69wwonvhVH5D2AdTK+2ScuvlRCNb6NKlE/jKwLPd8zK79Af1I9mYgTP7dpDj8C17Q/NhE2v5Yr/758RCS+"
    "QxU/Pr9F371mMgw/eDcYvsCjQj7KuYQ+6QPUPYNq5bnpoHk+qfjFvo03iz6Ev7s9C4euve5tQL/AO1i+qwMRv0MNi76+ccq9a+M5vrezAz+3COe9"
    "FAoRv8GEfb1ozaC/cWAEwOwF079hYjo/D94mPzh7Hz2mrvI+BqnDPn0ZTj9Kfho6hbYLv3IJxb+sRrW/1OzcPj4Ujb5a3vY92Py3PrFMM8D/9QM+"
    "fXidv5ooaUDRFTi9ddsdPm+zIz73t2e9BJKkvyP7hT4JwHG/uMAMv3MhBL5rBK4+mmu5PdX+qr+nj/O8IMVJvIpOn70n37K+TF9XvpECUz/GHvG8"
    "P5ueu6fUU75V/B29nPxMvsQB77z47Ra+tiPQvWntsr858ak9eYeUvgJ5ML+Lc6c9UYwKP+kqU748oXW9"
)
"""Of the products of two features, row by row, as float32 in base64."""
