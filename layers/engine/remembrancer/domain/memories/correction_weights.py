"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -4.3419
LINEAR = (
    1.2759,  # cosine
    1.2461,  # nearest
    1.0404,  # shared
    0.11152,  # most shared
    1.2697,  # overlap
    -0.021886,  # left out
    0.10097,  # added
    0.18006,  # value
    0.43238,  # unit
    0.32758,  # both values
    0.097824,  # name
    -0.11235,  # negation
    -0.11246,  # wrong
    0.26387,  # cue
    0.26532,  # change
    -0.16511,  # question
    -0.11033,  # elsewhere
    -0.0053825,  # person
    -0.014653,  # addition
    0.054702,  # length
    -0.11692,  # clauses
    -0.17751,  # assistant's memory
    -0.23941,  # assistant
    -0.19438,  # answer
    0.1914,  # statement
    -0.091996,  # goes on
    1.3364,  # sentence
    0.65522,  # nearest sentence
    0.97404,  # clause
    1.0755,  # nearest clause
    0.049662,  # before
    0.064754,  # most before
    -0.10101,  # value before
    -0.27915,  # session
    1.2022,  # number
    0.14295,  # corrects
)
SQUARE = (
    "gwQCP8ZnWkAKMcY+xZscvjx5rb+QlzC+5O8ZPqWxyz4nqpM+Gxr+PsRMaT4PEYo/M/6Svsf9070BH5G+oIsBP8xEjDzhVRi/Ir+3PSRnuL3RAuK9"
    "TnUWv9qxXD4++7Q+hHY5P4C52D3aaX++6W+DP95Kt79yqMw/hNn8vjOOXL1mcei+huTSvtS8zb9cuFw+Soz3vx9Skr/N5h2/6y0sQLQFw71vOpI9"
    "iW5zvXwEKMC+E5W/DbK5PuL1DD+ldZg/15+Zvqqxe73qb6w++nGcv5QfGb9ugrC/gLT0vSDVLz97igO/71gXP6AANj5CFik/HUy+vSIPsT8vjPe/"
    "6Pmqvmw7KcB3noK/v6Kzvq2UksAFu+6+uUdIP4mGt73nv8e96QNDPatVjr7ZNhe97v+MPaTzBb8CHRa+ZetTvzsQob69oVe9aQRov8pOsj5rnHA+"
    "mXOyvnlIzz76CLg8eWZtPsp9wb1eAlc9AWafvlk9Hr6nD5Y/NW48Pg+5zD1dRgY/YFpvv2/Gkz7OB56/TeQMvubuFL4Rnpc9JmQyv67mJr8Hos+9"
    "h6OFvZSCnz+pnMU8V2erOyAXlb342kk/Xp6hvp2gZb3xpli7yr/WO9gSFz4/6Lk9UBgqPqHMNr3R/JW+R7iKPrsvTL2/mlM9wrbSvg5FMr5tsSm/"
    "mGabOtLJ0z4MyTg+9Le6vXrTfz42pdW+4GbxPccrVr1XV209bpE8u+PXQb4elpQ9GMKFvugTWT1lw9a+R3kZQHzb3b+3vQJANFTAQPNptD9ogM6+"
    "21DqP1RU0r8aH8y/QHvqwJC1i77qV3nAeY2vvjj2Wb9ztos/V5gdvyT0xcB43Si/RlN6P8vgbr/3lydAPlPCv4KV2j+xQQ+/4kTdPuczh0BB6tW9"
    "3ipGQAcQjb0DzNa7eWI3PB9JhLygWQC9ezglPkz4ST24mMc9sdX0vluWgj1sgYK9mv4kvvitMr02Oac9HgsJPrcWBb1oW1W9N9gbvvJ5Qr0T2748"
    "vaAUPdilvr2d1tU9Lo47vDe8WT13Bho9drQJvBQtrbzGK6s9xBR5vebLGD55ZRs9Lg/EuUBIXbz+uaC+PpDgvQcZCj3+EQO9YYwkvsFHHb1Eowy9"
    "wWemvJ9TBT23FT28ZcadvElyzrz+AoC8g4VDvbTI9b3y8hc8fuXBPDMwzrwSpFs+/U+pPZDeQT6QYS8+cRKZPFecXDxx2/E69/ytvZbJ0L2JYas7"
    "dMGWPmL/Gj+7uKc+afRVv3F/oj1vzPE+t3cZP0TCr76tSqQ+jaZKvVbyTL5uQj6+Q/kIPQn/1D3zMAC90qe4Pmzxcr7foSC+DmCLPi5MXT9vC8c8"
    "8MCTvtPJET6AnjW+HBwUvZatLT/aJ+y9AhgOPx70b7ti/xo/Z8LGPyzxy79QRIU9AAAAAJLFID7DOoI+Ht2vvgubxz6144a9GiXhvv5Vmz7Exou+"
    "T5NGvzQEAT9RJKo/AtPWv067bj8GGmBAQwzPP3yFzb8rIBzAVNS7PsQFIr6NHvk/JGVgvxjW2D4g2NI8u7inPnLg7b8COna+164jv3sUgz1gY06+"
    "tbhiv0uBW7+zawU/sf5tP8Lu4r3j+bE++XdBvz5D+D555H6/gXsbv5XW/z6wqym+NmKcvwpyMUBDFpQ/lttHv9MzmT17+izApIF6PqW3pL8vW389"
    "IljIPb53hT4lgHJAx4ppvSMGUb2HbTS/IuFyvkRa5r2iZ1y9seL5vblCDb5s1Q6+IWMZvVuBub6pdFU+5JAtP9kQt71dkN++B119PvQCdr+i4b8+"
    "BPYcvtxbyL82mCQ8xMR/PnvKij2uGea9P14kvvOkTb5gIfG9JGsYPrFvzr569/k+YbIEPnMt+zzuAag8LM5IvkACLbsXADW+MfxTvjHYoj6Skba+"
    "REYPvpY+g7+mz3c+4UWrvofi0j36Dk++271+PlBVpr7eILo9MlPmvXhQHj7vREE/xQFMvjHzfr+l2yPACmOzv8xHoL619es+IqiuvwAAAAAAAAAA"
    "VuoCvwAAAAA1Svg/2c0uQFa0UUB6Hg1AZtr8P0h/oT0Fpz5AC4jhvyXmD0AIYGG/kRqHPox3kr71oCW/enYDvz+Qyr4ii5m+ECo8Pcs9pb7aZ9Y+"
    "OA4HPrMWJL4S4R4+AAAAAPsJT75y7ak/tMBcvhEehj6aShQ+/zegPZyJCj9i0YO9TBzTvobOTL6l14c+5TebP1mUWr44Zka+6d/ovruVHb4bhJS9"
    "dctcv10dzz7IHlI/8u1DPoElDL+R9uM9bNYhvzJlqD/bsk8/eo0nPRoL1D23sGm9NBw0PSmgcT8jhPS9ZBEpvqzmZr7yNf08djFgP4RqnrzTRzm9"
    "UZQVQEDOOL96wD9ArbEbP7Ec+T7WJYW/KE9Cv8F4CL5VzG2+Ee7fvly/lz1O+ok++py5vgFpsD2nRZQ9zvThvdkvwDwKN949xU4WPerSQT5NJBS+"
    "QLmpP9geID7zOIk9xAyBPqHJqz4UskK+4UXRvbvXy74OpnC+LtHtPXD5MT4p5wi+F4G5vkDcTT2JX7C7FJMOvjg0eL0mz8Q9LOLZPbxfgD8uRGm/"
    "BBRKvgg34r6VIUg/aVA9vzeMgT/sqvE+I+Fbv6dzXT5u5wlAXwl0vmi5aT5SLxY+6xNwvB8KE75RldC+PRLWPUBuUL8ZL7I/CdvZPoLsPj44Y3k/"
    "tddfP44A/L3kypM+8kclPlX5Jr1hDnI/zlUXv2uplD7imvk8aQUjvotfxTys1gy9+qtHvvWmVL40otW9x/TuvCfqPD3F2EG+Zs8hvkEwIL3IluY8"
    "Kq2/O9SRC72LIAW+W/U0vnEK4jzl4Qc+Nb5RPqHTjrwRdk6+OcsDvD279z2shvQ+i3PwPrVQzT0030w/SfBhPd//Oz3n0/G+TH+bvkr3xj7kJvM8"
    "QsY1vs16CECMvwk/tYxWvveXLz90eam+tEFhvoamcj51ClQ+VfUCvQ4mtL1yJLG+Egd8Psex0D6wdfC9OSd1vsakvD45J3W+g3WuvgagBD8YA9W+"
    "Q7lMP4ImIr7KUlo+m5S6vb+lwT4aTda9AVv6Ph0cpD2TDEe+YUM+vvBjnb3Y0Ec/0s2DPc/2Kr9tE7A9VzUyP3zT7T4+Z7o/aKwlvyLmaL7QdC2+"
    "dv9DPmaZFL4CIAg/Zz8Qvj3i8j38A04+1iqcPYvxdDolm4I+QuLBvp+3ij6YVJ09ZGi8vV2HUr+Fg4q95DY7vzMVTr7f4xm+jptPvgb0qj5N0Hm9"
    "At0jv7uzZ71Fj7C/GhAIwNnCxr8bLjA/aNkJP8QclTwUkOA+SqJVPg2ogz+eqqY9ZaTovdL5j7+IP5i/6kUXP67Hrb5P98Q9LE9YPoiMJcDPpAE+"
    "pKaRvw3DX0DPBjq+SzAFPkHyhD5210a+vRmiv/QOjj7K5FG/LYuuvq1qOL5dm08/y/PGPVFZmr99kpS86C5NPES7Ur0cMre+EgBgvtutIz/Qdzm9"
    "FB4HO/xwO75HnEe9gsovvsLdz7zU2869/kZWvsPsnb9D+oI9K+yOvto7Rb/y2VI9rln/PpjSNL3hCmq9"
)
"""Of the products of two features, row by row, as float32 in base64."""
