"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -5.752
LINEAR = (
    0.69098,  # cosine
    0.60792,  # nearest
    0.16773,  # shared
    0.11849,  # most shared
    0.24607,  # overlap
    -0.019273,  # left out
    0.025094,  # added
    0.20829,  # value
    0.074856,  # unit
    0.42314,  # both values
    -0.024171,  # name
    -0.060383,  # negation
    0.070728,  # wrong
    0.095961,  # cue
    0.32468,  # change
    -0.088717,  # question
    -0.10425,  # elsewhere
    0.013562,  # person
    0.052814,  # addition
    0.060364,  # length
    0.056098,  # clauses
    -0.14269,  # assistant's memory
    -0.17237,  # assistant
    -0.020028,  # answer
    0.12022,  # statement
    -0.1794,  # goes on
)
SQUARE = (
    "NNvgPrfNZT700Z+96f+6PcJvIDuJjx0+oFJPPjP7gD9krjm9W7zNv0HODz8Q9d49wBJEP6nwyT4PQwo/Thiqvm/7Pr+SuZw+2CtEvnOckz5pJwc/"
    "W5YTvqqKDr+LDeG8rJUEP1ekgr/Yw1e/AYZ+vi9WOL4rjA0/gTbdPeOcBz5mFhc/ICMPwL7mo77vazg/sFGfPkTunz9//kU/Aq6ePsYJRD+gMD8/"
    "vSopv+eYuT4r+4I+jgCAP+AOmj6DQg6+SPj5vsaanz6BgBS/cOvGvZLDbb0AUG2+Zb+EPiis2T2qFbW+qWugvnzrfbxcyaA+O1j9PsawIb5XzfY+"
    "QnEAP67wV7+dDCC+yQLiPLl0Az+7J6I9raUQvENFDD7Mp/i++3WFv4HXxD0kgRC/ZCBGvMJaeT1HNjk9x3nlPCi1UT01j9s9P0ETvwE4LD7mU1g5"
    "Y3yNPSJStj7ABoY+bz99PXGG172buXG+sJxAPp1xZD066K89j4N/PZsitr24w6u+eRy3PcKjvr3xMPU+yQiCvTLzrr0ej7s/a49CPsr/HkAaJ84/"
    "yZbMP5zXCj+yl2Q//mF4vwE9mL83wvO/vzXgv5knWsDAd9G8/FCXPrQbaD6qK+m+mdfOPxu7qj6n+xc/plqEOzQWMrpJVNI8wgKOPoSN3D7wPFC9"
    "7/kHPMu2Eb4N+m49BWdGvf6CPb2KQZ29qPKZvL0W0Tz1hR281DOdvbGu1LzW0hG9cfCOPe4/4jtyXI+98prWOsFXozxVlGe+OoDwvA2RtbztV+Y7"
    "hskOO1QHMT1v8CY8iqokvWxQnTsv3ss8cDFYPbkAMDsgmiA8BRlgvZ4Skb1Zuza9MEreO95QXr1q5H4+OwGcPW6m2D6yuYy/p70LPswiXT8zE4g+"
    "iXyMvbZGKr5cA/i++H0rv76ZH73FaKY9jePxPi9uMT7tCfM86f7hPZYRMD5qWWm+OwGcPWOahD/1HULAlbVpvwAAAADHXDJAa2ZUPYhZIL9DdzXA"
    "JzzTvxRqDEB0z1c9U1TTPXhNgD9/SgY/LnfFvpM/PD6Mhr0/bqbYPqzZvr/ns+4+AAAAAEpZBb8fn0e/J559v2bqOr9Y/XY/bJVTQKow5zzK8rc+"
    "4OHlv/P/1r9k73E+at0Ev8ijmj8DA8a8AUOMvrOvGkCo45I+WfMFP5QPJb6SfMu+v/cDvzU6wz5WAy29xPLpPUV9O74RjGi+HvmavtKIcLw8+wu+"
    "O1R3ve+zM76r9zC+oxmAPixcJD8Xf46+aFk8vlxk0z6MN5I8FFq/voGjnL4Ld9O81VwNvdwZtb0qkhS+09mQPeOevb3keHQ+T/GuvUnfmz4AAAAA"
    "DlF+vhX4UDz+iRk/0KCxvgAAAAAAAAAAYG/LPQAAAAD8hsQ9DbHSvsIOn77OrFy+YYO6vkjdzT7eJ8s9Cyouvmk2nr6isNM+fG29vbnkpz0AAAAA"
    "QjymPhHgMT+DKqs8aKp/v+ZT1D5ELqw9NUK3Pkbo+b6Vcdc95dCmPfSHLD5qHsO+e7G1vXHr5b1dAc2+E7y+vZbKub1zWHK87FgevrT1bL3pxki+"
    "LbkBPfutTb2/gdW94v88P0+3C7/Y8Cm98tlwPE9d8L3vTp+9Vxonvi+DUb07+y2+7zFePCnrJj4zoyM9ejqkPSaJ0r5McaK+pCnSvuB5hLs9202+"
    "OVNYPSiyZj2GPIC+wbTzPbvzk75UGKa+YuMbPqb97r63Ils3wT1tPeQcyr1MFBG+MCCPvaBy4DvbaQG+H7i+PW5Qbb6qHsy+64nNvlvJBj49Xke+"
    "gx4SvkGQqj/SBNM+E9TIvb4ZLbu7gjC+qEZMPruCML6JDq29WRGkvMmeWr6DYZi+bDf2PR9RRb5LtTe+"
)
"""Of the products of two features, row by row, as float32 in base64."""
