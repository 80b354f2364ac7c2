"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -5.2407
LINEAR = (
    3.9863,  # cosine
    0.52524,  # nearest
    2.1591,  # shared
    0.30848,  # most shared
    0.73775,  # overlap
    0.031074,  # left out
    0.26894,  # added
    -0.32392,  # value
    -0.73461,  # unit
    0.29067,  # both values
    0.52821,  # name
    -0.30711,  # negation
    -1.698,  # wrong
    0.044375,  # cue
    0.20553,  # change
    -1.2012,  # question
    -0.32947,  # elsewhere
    0.13347,  # person
    0.15137,  # addition
    0.28624,  # length
    -0.073418,  # clauses
    -0.40422,  # assistant's memory
    -0.37685,  # assistant
    -0.31788,  # answer
    0.33635,  # statement
    0.063637,  # goes on
    3.7219,  # sentence
    0.066655,  # nearest sentence
    3.0657,  # clause
    0.51865,  # nearest clause
    0.43356,  # before
    0.18912,  # most before
    -0.19962,  # value before
    -0.23045,  # session
    1.6269,  # number
    0.25561,  # corrects
)
SQUARE = (
    "S1HUvy724kCtPse++UkCv2yz8r+MaMK+CYZ4Pm6CMb3ua58/gF6nP8aKZL9StZE/lJrIQJFTjb4yMp08zyOTQMSToL7aERg/RP2qvqRdfj40VSu/"
    "kd2VvrPGLL9bWJe+HLb9PnhDIT/btca/y6YYQIFijsCPR8U/69nVPv5mwr77ptO/pjYnwNPK0L48lbI9l2o8wO5zK78ZvDE+CTU5Py7zgb7hQwQ+"
    "8lDsvbXp9L+h8hLAVEcZvihI1D5gBWxASeynPsDOSL8hxea+L4eiP9JGE7++9DY/rtMWv2sIRz4t0tA97HmHv+jn9z72AI09fUV7PyH4QkAx8X/A"
    "LBBRP/RQlMDzIi+/aRgJvm697L+v+gE/W86Bv66vGD1PY1G+CldmPskkOb+fQQm8balova196r7cRcy8vxc2PlpngL4nlze+MnOwv+lNIT7R64w8"
    "xU1kv4x7Hz5H4Pc9UxBEu1hlx70zlCs+OEdPP+WEbj9p8cg9VOEwP5SSK74bXmO+O2JMv1sTpD6tbKS/7ufJvspIBb7xcUq/E/+Bvnuacr6Abwi9"
    "KJhHvNnwTr5mHHY9+u0vPT1e7LwJHqA+Rql8vRa9j7zslzW+fbVIPyMLojuAI3W80avQvToHiL5r8ge+3yQzvlhAJb7gMcy8gg/SvkVW9L6ezf29"
    "9b3nPRDCRD4RugQ9f5bePQRdJD/YrJU9wfg8PofZij2x0FE+XcNaPRAahL6Qyw49DZ3NvadztL+9mpS/08BIQOapJ78b4F+/svhcQAB91z/eVIlA"
    "Z7ravZupBD9LKag/q8jrv9e/uL+1SAo91bw2Pfpyub9pHAi/TdHVvujGRr7fzwnAgjd+v/3Elj+h4XS/pI9MP4O/KEDCYN++j7/NPBWCBkCatBc/"
    "KtEdQKvFEj7oJMi8kJXuPFxGJ73vKGE9ujFSPWtKij3wi149Z7I1v4kbZTxY2BC99Kf9vY3arbuKiks9XI+EPGIEhrupRZu9YaWKvYp+2r2S3a08"
    "3HKAvUwjfr57oCc++R9mvYcIWz5hRg0+2HWTvEQ+0jqoaQg+ND+ePOAaXz4b5i09SSsBvfU6cj1KiFK+62zIPbXd9zy1z1c8kmUMvsEJuL1fJRW9"
    "PeDDvY8VST1GC7o72bekvf7Bj73NkEy9t5chvZZqK76sWyQ+KSDGvMBs6LvmSxw+wYp9PaBoIj8gbjI+qhFwPRftdLsG7DI+HHJLvtN/E76T3fW8"
    "whsMPx1xtr1a0pQ+RZFpvhcK3T2orI4//Y7hvZSoJbzHWc49aXZ4PmQpArykHbY92d4dPX4hjT3KgGU/xCYpvD4Zrz2Vpga/wJVdvoracD+7N869"
    "04OQvkRSfj4jgvq9ds4HvgDnEj/DuoY+hwnpPbTbwD0dcba9vEPnPjUCtL9uSUu+eHe4wGZT9j7gbag+bVE8P36d/71geIS9AqSHvrOVWT+dc9+9"
    "VLaQvqLirL4iEzk/7XwnP9PZ1r36aPY/qtDuv9UoVcDEX1BAcuwNP6wrpj3chK0/md05v5loCT5xDZu9WtKUPo7pA787qLY+S+x2v71kcz7hAfk+"
    "NmXQv4HyKL5K+fg+DZ6RPkFjZ744bmm+bmC9PvnfPb9Y1Qe/FaInPeccej5xUA8/W5dnvj7cp79qLbw/akTmPvqO6Ty4hOC/95cxPTD8u75uCC++"
    "vzgHPyqrur07UndAGgX8PRsGgD4WPby+0v0ZP8pMMjt6VMO96bJcvlQ0iL7itzS+nwq5PopcBL+Shqa8cJFfPSNwhb6Yzb2/9baLPgJUST8xP1S+"
    "Kq1uPI0jRr/MJSk+avhuvpb6VLz/PJ2+wPexP2Ujlj4r+YS+20xpP4SqU752pOM8QGisPedFTT7LI469O6gPPkpcpj0wsvC+VVGFvllfuT76v7Q8"
    "6rmMP+I+Ub/rinS+3pVivhYj2j3udme+mk0vPXXw077VEWI8gFbZv/XWbr4ne0U/DFKXv7Ehx79CRhq/ypsYwPSqCr/5QKc/7jylwAAAAAAIO3ZA"
    "GLl2vwAAAACBZXhAzyr1PyoIhT9NXpfAiaTqPxsniT9wY3LAfkp9P2MXvEDWXV+7ZMI1PYhTy72YBRc/TgajvngE8r01WF49Yz3BPSMhfb5YJZU+"
    "FYwFP7eNpz5UMVo+AAAAAEldCT7kZce9TdQGvhM9Kr+25mM+oko0vv9SdD5hmPm9kdWzPiK5EL3UdVI+GsMvP4/FtbxVOBS+C04gPNsMt7yiHK2+"
    "wPwxv7nYtj5xfSc/RC4TPTSa7D3zXsy+oKfgvq+o4T6QxAA/5+SsvRFJB7yycxM/5UiWPIqSvT4/5TG8rMGZv3C4jD+V3Jk/txafPikywj6+R7E8"
    "kvHPP9GePr9ptdk+fwoUP5ib/L7VtWi9Tb6GP92Cq78db4u+lQfBPOzZYL6hZog+clmHvy9N5r6e1ig98LCovkT1yj3uFkE+P3zKPRR4sTy6huo+"
    "2hKKP41OY7+J9cu+7fqNvgkyWT9Bpwq/h2wEP5XRRb4h5DQ+CjlsPgwJHD8LDVy+3XfLvqWVsDwgrAg+7Nc3vvEZ3TvFHxk+DAD2u6EM2j0qdyA8"
    "inTqvhaYAz5fG6a+/D1JPkNa8z2K7hS8NNlUPRkQxD1CdII/hsQLv8Q7qD0Ymvs6NQAbPvXRcD4ALSa+kqzuvuq9Oj+3rW490mGKvZUapT3rXF+9"
    "X2G2PioCBb/0GkW/BUpmvVQoZzuE/9c9BSxQviV11b4mfbs99VyPvvkeWjwayvg8qNS7vr9unb42qd2+3ospvf3rzL3wkDa/YVJvvdObNb90EAU9"
    "eLCVvYDEtL6SIIi+wQEivnpYgj3ji64+BZAcPAd+fz6b+aI9XE/WPXdXkL6hxhw/KYunPnFhnDwa1uC9GFCjvpLY4D3TQ6q9r4dbPjy05j1fPwo9"
    "XvbOvianYEBzeWg+rhPTvhpsLj7OhNW+czDdPlckFr8mpho/+DgQv0NlFj6Evu09dKSxvRqvtb7JV2u+mfLAvg3AMj6Z8sC+F7RXv/owTT+4V4I+"
    "PRifPbHIrb5R0iY/2xktvgO5kz3oK3++dAIhP4XqjD0QwaK+RGiSvovUiD0TGURAVEYCPOLM37/yuFC/GAJuPrwHpz6M8tQ/Kl+avzEJKT9PdDq+"
    "9DWsPtFHXLwCfNo+e2cRv+CE1j5iy3K7NhacPsIQwr1HBgg+KmmYvkhaUz+3Egg9AFSCPfGsGL8nSoS+dInIvFmA9b4mUGE9cGisvdZyJD3mPf68"
    "Pb/Zvm2riL7fbkbAMIXwPa6dOMAivIc/Q0OJPut1gD5ba9Q/OdCBP3+Oqj8xHie+V+syv7AkDED2Zk/AHQ4pP8WM6r6wSoa/ofMkv5gbOr+EBbg9"
    "IcntvzZxyEBI/rq+FNmoPnOeTj++43c/OriQwAMwvz5B4ivA6ZRIv1aPq77bqYY/lffEPnqTKj9oqtA9CAywPMVHRTmoeJq+MmMqv+npWD49ziC+"
    "u7ervJ8boL0VqF88DeoVvuxpGD3UaEy+8rRWPrR3579L6Oi9TvprvlctF75yyn4+OTtVP7/GujyB/oq9"
)
"""Of the products of two features, row by row, as float32 in base64."""
