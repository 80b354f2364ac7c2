"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -5.7538
LINEAR = (
    0.69471,  # cosine
    0.60659,  # nearest
    0.1632,  # shared
    0.11749,  # most shared
    0.24285,  # overlap
    -0.020069,  # left out
    0.026082,  # added
    0.18809,  # value
    0.057398,  # unit
    0.69502,  # both values
    -0.025481,  # name
    -0.058936,  # negation
    0.069211,  # wrong
    0.096844,  # cue
    0.32323,  # change
    -0.089079,  # question
    -0.10524,  # elsewhere
    0.016135,  # person
    0.05704,  # addition
    0.057054,  # length
    0.05628,  # clauses
    -0.14736,  # assistant's memory
    -0.18138,  # assistant
    -0.015305,  # answer
    0.12035,  # statement
    -0.17954,  # goes on
)
SQUARE = (
    "MUvqPi9ucT7U+qi9z5mmPai+kbsSTBM+Jt1VPoCOmj8go4e9j9FKv7xoDT8Fg+c9VldDP9tL0D4JbgQ/d3q2vhWIPr9nN5U+dIM2vmxqkT7wpwE/"
    "alsyvr4UFb8cB6s9jk8HP9ZXgr9NylS/8SZ9vglWQL5Xzg4/FqrbPaBYCT7n/SY/IxAcwNwDDr4KwjY/A3+QPhNnoD+hokE/djOZPlbvST9Yqj4/"
    "4Lcrv5mspj40hYI+yCB6P4/boz7RXuu9nILlvoMloT4I7hG/ECDEvQvCZL1GImy+mDaHPm9s2z2HG+C+p3CeviGOZj4bsKE+vzgBP8ymJr7u7/g+"
    "E2wAP94kJL9Y5DO+spksPbREAz+NjZ09ZbWEu7v9BD5tcvS+4W6Nv6eNxT0RkAa/S/VWvDLaRD30okI9UtjqPLW9gz3BrkM+JhngvioQKz4shpS6"
    "Z6OLPcD+tj6kk4Q+jCrwPQWV2r3sRXm+VOY8PmOAZT2Btqg9WEWbPfQOqb3IibO+3W+4PZ56mL21LPQ+6+bEvVDTa73pobY/SsGKPgtGGkCF59U/"
    "PT/NPzfPAz/edmQ/48N0v2CElb/Nbfe/+azbv2FDV8C2eKu8J9WXPh1qiT6eRvG+PwbhP8qbsT6ZFs8+NamaO2LaKLrQbZY8t2ixPotavj5O4lO9"
    "jEYBPJc7D75uw249/JY9vXV9Kr0aopu9bMqNvBzoYzztGy+8+iWfvV4Q17yEPRO9JF+JPasJkDsf4Iy9+2nqOqiCuTzabmq+acFdPehRuLzpjxc8"
    "/w7oOiGEMj3/Zh48sHQfvT5pjjspr+Q8t1BWPSCFPDuXZzg8n2FkvdVzkb3/Xze92eb4OxdEWb1ct24+nPhwPYJxMD1Q+Iu/SEKUPT11WD8IqYM+"
    "Rd5pvY2sC74DO/C+qZlGvxtchL1veqM9XjvqPu99bT5RaqE9/92mPQ9MUj61caa+nPhwPQAAAABNWEjAagRqvwAAAAC8kzZArrMMPlhGJ8AtuD/A"
    "Q0jFv05DF0A2JjQ92dZzPfAijD8pBe4+hCo3v3b8vj2YO+4/newxP6TDGcBV0vI9AAAAAE8whT2qhlW/JrgSvxm1a797D/g+eF5JQMGiCT58wj0/"
    "q8MCwLmN5783xv0/brZwvvDkmD+evNC8LbGKvj/mGUAkhZc+YR0HPztFI75gztW+94UBv4vlwz5u6zC9S4XhPWlFOb6pmWO+aeGcvmRUg7ySFgy+"
    "XGdxveDWOL52jTu+z8+BPsrbHj+hU4++H2U9voMSzT7qsZA8XdPDvqMdnr7JOqe8TLuQvUp5q73CBRG+g76NPY+2wr0rRnw+A8+qvdxplz4AAAAA"
    "huR6vvRuPDwBVhc/LL2zvgAAAAAAAAAAWwDHPQAAAABDVsY970vavn3Rkb716Fe+gn/Mvn8s3T6ue8Y9zEQyvktBmr4ZmrY+/ORfvXDRqz0AAAAA"
    "x32lPv8eLj+QheA840F5v8Uv5z7TUqo9K1+zPjOe9L5wHxA+pQcYPSPRKj5K2sC+9m62vWae8r3w2tK+6wbBvSi2ub0syBG8Qvj5vSHZZ70SY0G+"
    "NZnjPJBhSb3bhde9gDw7P1v4Br/eITS9whW0PFyG8L2TbZu9E3MnvjkmT70HRTG+wS2EPHbhJz5wGS89iFGnPRt2xL5f+py+y+7VvgpVlrqE70a+"
    "IKNpPSTfaT1P6IG+OS8wPK07jr7LUK++6FQePhqO876uHQG7ioptPS1W0b1CkxO+BdSEvT+ttDuGnP69PGrEPSFCcr4CXc6+qxO8vnVqCD4VPkW+"
    "VuYWvoPSpT+1RuQ+nFzgvWdfuLvWvDm+3J4gPta8Ob53LLm9+MB6vLLNVL657a2+Xnr2PTUNRr4l2De+"
)
"""Of the products of two features, row by row, as float32 in base64."""
