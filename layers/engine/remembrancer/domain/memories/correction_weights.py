"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -4.8656
LINEAR = (
    4.5749,  # cosine
    0.99372,  # nearest
    2.2665,  # shared
    0.33944,  # most shared
    1.2862,  # overlap
    0.011786,  # left out
    0.17652,  # added
    -0.39391,  # value
    -0.65049,  # unit
    0.52093,  # both values
    0.55326,  # name
    -0.29285,  # negation
    1.9748,  # wrong
    0.068471,  # cue
    0.223,  # change
    -1.266,  # question
    -0.39264,  # elsewhere
    0.1667,  # person
    0.053765,  # addition
    0.11507,  # length
    -0.26204,  # clauses
    -0.45027,  # assistant's memory
    -0.37616,  # assistant
    -0.22292,  # answer
    0.20693,  # statement
    0.011093,  # goes on
    3.8348,  # sentence
    0.17854,  # nearest sentence
    3.1627,  # clause
    0.61659,  # nearest clause
    0.42809,  # before
    0.21229,  # most before
    -0.23659,  # value before
    -0.3171,  # session
    1.5828,  # number
    0.27521,  # corrects
)
SQUARE = (
    "mR3Fv/rT5UA4C+C+Y1IKvz8JCcBhrLi+KKVkPuoR7L16seo/ViC0Pwofer+qw6s/8utdQFR5072Kia89M92NQLGKmr6k2Ps+7hlSvhSRTT6bdUS/"
    "yBXTvsyaYr+6dY6+E0gJPLCyJT/Lf8e/OhQ0QDSWjcB8pQxAy51KP22S+75fmQTAbZcqwB996b6nIx8+GEpIwK+XPb8Hhb09ktiJP9S/hr6LE2o9"
    "pu0jvfnIIcBHo/K/Q1sMvhsFNj/PyYFAOogbP0gLRr9lABe/9wSRP0PhFL9a4C0/QLIkv9MLCD4rgRA9aH6evztPVj5wgDy93oJwPyvRPEAXonzA"
    "VkQlP9s3j8Cv1d2+o9Zkvsar1r/QlO8+QBuAvwJ7qD2b8FC+hjRrPst6Mr+084K8kCdIvUsHA7+er7i85IeYPoyXo74vS/q9vZfKvpT14D1TLtU9"
    "tNZUvz5mOz6yWgg+S1LdvX31qb26WSE+7pVZP5/4dz8zuBk+BzgUP/jOJr7qJzO+rQQ/v3yrhj5tepu/G330vm9jxL3ClEK/uhk/vlh5k76exji9"
    "d9uDvLr68b0qR3c9DxA3PYo6Mr2vjaE+ycwevlOCBr0RNV++IauBP4YFqDyTwa+8Wyzivcq8dL5A7xa+ddEpvk68I762yaa8iPDQvlPd775sOR++"
    "EPLIPU2ULT4j2QA9hl/IPZ6vGD+tdsI9EowcPr9BiD3Y/i4+lkcePQ1wir57nCg9+OaAvzhGtL/bspi/IuxUQJ7aLL9iloO/2D9tQLfZsT9Pdk9A"
    "NeK3Prg+JzyqE0E/kCEOwBhc17/zGsY+g9XMPKikwL8PLBy/e4Edv9mew75k6A3AQfeJv5l8lD/rHpW/zZlLPzS5JEDG9TY8v4IJvmKQA0CU+Ro/"
    "KjE2QAKyAz5pJtC8rTf8PAQASL3l7Xg9SJoKPSKQST2phYc9wpyuv2o5lrt/JA69IIH8vQo+DbxUVQI97ZPRPLnSzzoDwqG9lRaOvYq91L2fFZE7"
    "nz4WvQaNfL4VZAs+qpM5vZJITz7OoQs+v850vAhapTsV7vw9PovwPEYucD4DgDY98AfUvCzEcD32bFG+TqoXPe2THzx4cfG75xvKvj72zr3FWky9"
    "ApKyvWzhdz1uCYM7XwJkvcbXcr3iB768LOCpvGGfD74TxRE+FFxcuxxx/7t4ciM+Ic6tPPVKJz+i+g8+vbw+PShJdbrawGM+wD87vkx1HL6hzfq8"
    "KQQdPzOVL77XWwU/IzJ0vhMnjT34er++VSqfvakf7jxhhwA+1O53Ph17r7kqBN09GD8XPVeCij0TW2k/jdYdvbUBjT05Hvq+MgUpvlTLcj9+wAm+"
    "1huovhoxtD4bbiK+BSAIvt+eFj+tbXY+dbfjPTuWvT0zlS++zH05P4vosL9zRbC+QJgBwCqdvT5qArk+WblGP3WDHr4UPR++WXZ7vhbHUD9n5cK8"
    "kjxDvmzQrr7OZk0/jLDXPikr6b1JeeM/Dx74v8R7SsAwZWNAg5kPPwkZ1j3Insc/b6Uyvwxvbj5cF2+911sFP7kgzb5ELA8/4AD1PwFbqT4Qdb8+"
    "2yjOv4Fjg77Dy+8+vfRiPjPDqr45FbC+ECd6PkZhVr9Di76+fRYsPTw/LT5ymeI+felpvLZ52b90ps4/6I0AP2fpi70DoeC/gwVVOyIg6L5tWPy9"
    "R6INP/4Tgr3Z/KM/iWwsPlWRYz63GrK+BT8kP73yujz/+Ni9gdRHvgOKob7JfYa+JhOZPhCyor6a74w7snCHPWgWkb44yrG/B5UMP2olMD+oJ8O9"
    "DqMavXTuZr/TmQo+UhKJvrj/njut8JW+mSvyPxBTNj6da3q+cRxLP4feXb7w6OI9qPTePARILT5yzma9qw0MPtTWHTgS6Za+82HavtlWvj7iad0+"
    "OtGEP66wfL8S5lG9FnMtvX3PNz3zDdO+QMwGvphqvr4nVL483cT8P3M9p75FrRa/cwlywKC3GcC40GQ/0oFhwCaIfr1NDQw/pol+wAAAAAAHOoFA"
    "eEMZwAAAAACJv8i+K443wIjdyL70gq6/CZyaP2UISj7mZ0w/iJxMv9n8QkANb8q9kzqMPRjb3L1Fh+E+kv2jvt1Xbb1Uyi09J3CcPUUdkr7y6Zs+"
    "G6H/PgvogT6aR9A9AAAAAAlNUz7xZoO9HM/CvbcqLr9qXHY+g+tjvgWVlT7Igaa+8drOPqkc17wnW2Q+/cULP0XU/bwnCBO+D1WlPSDwCb3Pb6y+"
    "qqk2v8uZzj7UNxM/mYCMPFcjgz1fbf6+hE/Svk2RJj/ZkxU/774ZvmtvHLywzQU/o7NjvdddxT75s5K8ZQ2ivzxbgD80/Jc/9oXIPp930D50A6g9"
    "OSPXPzkxIb+Bgy0/lCUgP6Ad9b4fFe0+3CvwPj5Uvb/3AlK9IUObPSgk672PWdI+R5OEv+BqML/d5LU8YgjJviSwLz0EVDk+1kLYPTj/bbxQysE+"
    "mypyP3k4bL8PqGC+ELGWvlwKTz/s9u6+Vd3xPkeDU77orkU+SDpTPjWeHD/wOxG+kOHRvrpZNDzesio+dK18vsZAhLuJAPE9rgzGvPL/Jj4Zw3+9"
    "KAvDvmnUFD6V3a2+1hVnPnJf7D1x9A49TNZtu9nc2j3s5V8/F2MZv4aEFz1FnvC7XThcPdVukD7wiR2+hBMAv55vPT9qdDM+42xGvayNGb1/H5G9"
    "wkqQPly3BL/BhR2/vhgMvq6ZSjz3M5o+MyZfvtOl6b7n55M9cLKDvvGOHj0rfWg9nhS2vnPViL7His6+iHdUvdnzFL7X20W/Mj7MvRc0Qb++I848"
    "+H6HvWDfsr4u3n6+PIXAvaTAgz3pqK8+OnKgu/dOdj7hi4Y8v+iGPlXTS75Hmg8/PxeQPo5elL1ZzC2+4+6vvoE/BD7UNTC9BYGBPgD33j0aJg89"
    "6YnmvqIcXkDxojs+tv+hvlRnbD61y8O+fEudPpSMNr/z4BY/VBEdv0SxDD5ET6w9kc6BvW5Avr4+BH2+bJfAvvH9KD5sl8C+cehNvz24Zj+PFNQ9"
    "vTuDPfaRyb7iMCw/b6Anvs2uRDxWmQ++KC4uP13Pnj1HRmS+VMXwvqSvG76iAEZAKGW6PsvTyb8s3hy/Ke3NPuMjhT4kVcw/rlOcv4Y2FD/JgQC+"
    "lOVTPtmWZDydEBE/8IMVv69K9z55lRu945R2Pg12271XZ1c+RwJovrNtXj9Axwa6Y701PGY8CL9tiX++EybKvQt4175wn6k8JRKIvRr4jj2DBXe8"
    "zua5vjFSi75o7EjAraaJPguoO8Cbf5g/PZaMPh7jYD7gMbE/6t97P2FhwT+Suki+XiZBv1mwAECOEknAySluP85QCL+FVIS/H14sv4ChNb+GUMI9"
    "TW/6v/QkwkCgjbK+TUWxPn0Bdj/tzmo/yeyZwLQg0T6T9SPAAdRsv0qp0L6ERos/8JGdPp2oUz8Wehc9xctbPS+8o7wXU5q+lOg1v68/nz6b5R2+"
    "RvXovJ1Kmb35Kp08yUAhvm6TLD35Q3K+r8YxPgVW57+h+g6+nlqivnNOKr567Iw+ZsdHP/gbhDxm74m9"
)
"""Of the products of two features, row by row, as float32 in base64."""
