"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -4.317
LINEAR = (
    1.2763,  # cosine
    1.2514,  # nearest
    1.032,  # shared
    0.11131,  # most shared
    1.2685,  # overlap
    -0.021,  # left out
    0.10129,  # added
    0.18068,  # value
    0.39336,  # unit
    0.33026,  # both values
    0.10788,  # name
    -0.11205,  # negation
    -0.077321,  # wrong
    0.25571,  # cue
    0.25189,  # change
    -0.16293,  # question
    -0.10413,  # elsewhere
    0.0013697,  # person
    -0.010608,  # addition
    0.05468,  # length
    -0.11852,  # clauses
    -0.17387,  # assistant's memory
    -0.23996,  # assistant
    -0.1867,  # answer
    0.19373,  # statement
    -0.09114,  # goes on
    1.3471,  # sentence
    0.65734,  # nearest sentence
    0.96925,  # clause
    1.0795,  # nearest clause
    0.051336,  # before
    0.065392,  # most before
    -0.095306,  # value before
    -0.27723,  # session
    1.1981,  # number
    0.15023,  # corrects
)
SQUARE = (
    "SWXwPvNFX0AtAMQ+fyUivmwhsb+17i6+q4ocPpZR1j7uy7M+arEcP+EPLD6j9ow/0rekvjipob6q1Pu+F3j0PrI45T0FXRu/6qnkPZRTxL3HpL29"
    "7PMRv+X9Xz5tBaM+tPg7P91hCT5ztou+16h1P43rur8hE88/DRryvplpcr2PQQG/wtLNvmS2xb+P6T4+AQnyvytBlb9nqx+/s20uQGUzvb3TGpI9"
    "oTmMvVzPLcD4iZa/rwG3PtwdED+f/5M/kc2SvtWMUTt/3dY+cKicv/NeFr8Fyqy/MfACvoY/Mj9MGQC/9nwbP4/4Uj4S/yw/Y9jpvVmDqj8cvPi/"
    "8u2Cvq4QJ8CNXIK/SLa2vv/LksDhRPW+jFM4P5AiXb2Bg8a9fMozPRttnr6MkSO9luiOPSBSB79UvCu+iYZfvwNRor7LRH29g4NYv58e2D5kWpU+"
    "IQS2vr1f5j43XQM8O/VXPu+7yL15AjU9HMKevrK8EL6Q8ZM/9qBIPvbWrj3beQk/bXp6v3k2mj7txp6/IUQYvpu6F75NFjM9F/wsvzv4I78a6+W9"
    "qRWIvadioD+ru748jCSpO9HXjb3GrkY/kpiWvpJnRb2U32C74P0zvARyBD4cgIU9w8IqPscBH71JoJO+ijiNPuaTTL3WZEE9Y4DSvjCXPL4Wtyq/"
    "qe+ZO8BG1j4gYTs+h3TKvSkngj5QBde+UE3ePZxNVL19CYk9+gTZOrQ2TL6CRoA9JTqOvh4LUD131Ne+RhQWQPBC6L9l9QdAj7i/QDPJtj/DPsa+"
    "SRnrP5L0zL+SSr2/ZyH0wO/ucb5+qnDAlFDAvl+aUb+9z5A/R1UUvyTrwsDlByO/FOJnPzJrZr++KSxAE7i4v/hc6D8Jdwa/h6TgPuZOhkDtPga+"
    "WbZNQJxAbrz5Bdq7GB45PCt/jrx0ghC9rTQoPo/2Tj3ooc49gaX7vlHdPD0eo6K94RgpvmoTEr2LLKs9ftgIPkOrAb06BFG9MF4cvsieTr0MkbQ8"
    "Jh4XPaMzwL0Te949K002vOYAVz15bB09pkMGvPlypbzC+qc949J1vS5tHz6LPxs9q9cKuLMYWrx75Zq+KVTQvcwXFT3HCQS9sXQ0vk/KOr3klCO9"
    "f5vRvEeqFj1Q4hK8ulKTvIUOy7yw9Hu8OENJvShU+r14o8g7t/fKPF/dzrztP10+/kKsPZCnRT4bjTE++hWGPO5hYTyp4m240SiuvTuE2b3Qkig7"
    "vLaXPrhtFD+qF6k+t0JSv6iatj2E/7w+3IETP7jguL6OebY+VNu8vBU8b74vfka+xoARPcBkyz2RNMS8C4a7PlviYr5SeyK+vHSFPqAaXT/EoJU8"
    "q22WvrfRGD7gTDG+W6IKvQCUJz/uLOi99nAWP41MPju4bRQ/N5C/P7S5zL/f5He9AAAAAN9DlT5+H78+YP0Fvy56yT4AqMq9SSXkvmGLnj77DIe+"
    "tnhVv2U72T4XDK0/RprXvxhEcT+IrGNACBXPPzCAz7+HZBvA3+m1PnHgEb4Tjvk/KyJfvwxRvD6a+229qhepPnCv6L8dN4a+alCRv1zbBLq8vUa+"
    "2q84v3bKSb/AbP4+QXJ1Pxhq5L3YQ7M+eXRIv9Ye9z4pSIC/RCUiv0EhBj8sZW++4rWXv9FmMUCVqIU/fI5EvyUtlz2P7yzAobphPqRdp798CD49"
    "tvHcPabekT77A3pAIHbVvS1d2b2c2zO/CVFjvpByxr03o4G9RlP8veZ0C76ykCC+Tr48vf7Svr7bg2E+Y+wuP+kb3r0+FeC+5KNtPjw+cL/11rk+"
    "wAEavijUxr+aypq7pxd1PigtPj0SeOW9K2rJOwfpjr6K49C9S9YSPjlz377bgv8+sN74PR1E7jwlyaQ8mD1Ivkicl70WOD2+FBZVvmzIpT6z2q2+"
    "A0b+vQfVf7+UiIY+W0Wuvh/QwD2zkS++Gi1wPpH8i75Cl2E9TVqevTLAxD4yOoA/KnhUvv9RlL/3SCTAn+/Mv5xTqL4L3Qs/bSeovwAAAAAAAAAA"
    "eu8RvwAAAABd2QtAo4wuQGcpWkCOLgpA6tX8P2SlFT7EVC5AOFDhvxcyF0A+QDG/sOyCPkDRVb5oWie/DWgKvydR7L6/xI2+FCrXPDPJqb6gq+4+"
    "WrMoPsdzor3RrwA+AAAAAOxslr6A4qA/6KWuvmXiSj6mqh0+sGnLPUus9j7rrNa9o2bXvpKq2r0a+IA+XM6UP9sGhr4aEYK+h5Lkvq5uL746fbq9"
    "4AVRvxiRtT6tCmo/yS8vPnX5Dr8QZQW8SYwov/Uikj8xj1E//q1hPVqVAD5zrp+9qLu1PFxaeT9/e7S8tdcmvuPla77ixxE9wItUP5DI3rz4EkG9"
    "BB8XQHaGLr+DwDlAGN8ePxmW/T5g8oK/vzg8v9o20L0Rg0W+BnfDvqd7hD0wK54+Qlm2vkiUBj1wdZg9qELVvXwswz3M39g9UctAPbxbQD6szh++"
    "/JDAP1jwBD4eQKs9iPODPslKBT8yLlq+IS2bvTvLzb5atY2+6Bv5PU8rJD4CFfq9yTCqvvyehry9hrM6yAn8vRJfXL3+LMI9SK/GPT7Lfj/Uh2O/"
    "f+89vnMx5L6F9kc/Xy9AvyJGfz+9TfY+7qlZv4UNZj5YugVAhCp5vorOZT7j5BU+P80tvD30FL5MU9W+CtGEPSqpW7/YDq8//lzdPk2EVz7zWno/"
    "WbBiP33H6r1IZI0+BDVDPi/TJr0QHnE/2AsUvzzXiD7n0a88SAsjvkvA2DwUkxW9OSBLvnaVWb6c4dC9KczzvPxvQj3r7US+evIgvoCkHL0GbtQ8"
    "fkvfOxHrF72UqAS+D4Y4vgvF1TycvwY+t25TPkA9vbwJUlO+X+IVvIks7z13/fQ+n53lPnKtwz2ojEw/0ww/PZY4PT0oQOi+Fricvg1Xxz4H1cE8"
    "wgsyvi83CkCxuww/QNJYviLgLj+JBLW+FSBavuN8bj6woFY+KJrDvG1ftr1fl6u+IN+DPiZd0j6xz8G9E7l1vnAWtD4TuXW+cM2mvmOm/D5e9c++"
    "MQZNP0rfDb7mYlQ+u32yvRA3yD77Br+9+2IMP86woj0rLz++e1Q3vlKIor1RHEA/Sc7DPePnL7/6+vI9z3M3P0Mb6T48f7k//5cjv4FTXb7jPye+"
    "m2FGPgNXDr7Figo/TMYLvhYp5D2aO1M+f32PPX+gQjqQ6IU+8YPBvqvshz6NPpk9aae6vVJ7Ub+R5569/CE4v7NlVr7X4Be+uH5Tvg7epz5MVGy9"
    "FTUevyvbPL0lpay/Rr8GwNXAxL+N3Ds/UwcNPzq9mjxwmOc+kmlJPkbCgT9+g6Y9d6kDvrIzlL/Wt5i/VwIaP8iGsb6Y4q89ou9BPn+wHsAnyAo+"
    "KheTv4WSYEDYMR++vb/6PTMknD6nnEi+dKyjv3Jwjz66TVC/WBinvsyXPL5GDFQ/8+ymPVKooL+6UB88S9FOPL2cVL2HtLS+1fddvgZsHj+pATi9"
    "E1EoO8vLPL7nM0m9GwQuvo9fwryYL8O9D25QvmSqmL8LF6U98vCNvmLFRr/bAHg9ExHxPpkL4Lz032C9"
)
"""Of the products of two features, row by row, as float32 in base64."""
