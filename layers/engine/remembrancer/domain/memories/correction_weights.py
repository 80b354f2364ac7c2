"""The fitted weights of `correction_features`, written by `python -m benchmarks.corrections --fit`."""

BIAS = -5.3366
LINEAR = (
    4.9524,  # cosine
    0.97135,  # nearest
    2.458,  # shared
    0.30385,  # most shared
    1.2981,  # overlap
    0.12968,  # left out
    0.21535,  # added
    -0.37707,  # value
    -0.35008,  # unit
    0.27015,  # both values
    0.62949,  # name
    -0.21094,  # negation
    0.7344,  # wrong
    0.044877,  # cue
    0.036359,  # change
    -1.199,  # question
    -0.44085,  # elsewhere
    0.069314,  # person
    0.16566,  # addition
    0.20136,  # length
    -0.40513,  # clauses
    -0.49067,  # assistant's memory
    -0.47666,  # assistant
    -0.0026665,  # answer
    0.12667,  # statement
    -0.046655,  # goes on
    4.0932,  # sentence
    -0.032089,  # nearest sentence
    4.1042,  # clause
    0.54005,  # nearest clause
    0.67136,  # before
    0.22929,  # most before
    0.20936,  # value before
    -0.45254,  # session
    1.1757,  # number
    0.24738,  # corrects
)
SQUARE = (
    "B0ztv7WeDUHa4s+9zCMLv9Wpq79zUOe+BZzXO62UfT7aKsA+QexeP9p5kr+nmHU/PjkUPxe7372SEK4+dQqAQNuJ3j4l2pC8yeKZPl8R5T4Knzu/"
    "Hi6hPmXvKD/F8hi/uUIxPsuFiD9D5xTAi39cQDOCv8A7PFA//Pg+vxlCq74GYum/mFG2v8YQSz9WwKU9afY+wC34Y7+qvwA92rGFP3+ra750Bxo+"
    "pqY8v6SJn7/4gg7A2OEYvWclHz7TbDZAk2xaP0QX/74bWjHAyN++vbJtXD5oyB8+cqxMv85q+D1HqEW+xFN0v/47LT4s1f44UaK+PmrlKEBp9HfA"
    "GQWbPwL+msCmWow8RaQFvivt/T0z5bA9IIiQv+esVj3EGKy+P296PjyBk7+XDKY9OQPMu6A0SL/fbg8++nznvWVkjb4eZxa+H/aqPqFt0TwoNKa9"
    "+IAwv323371A5Zs9AJshvjpf/L2O6Yi9Az4wPxQJ1D5Aobg+UI8BP5nXoz2jgaI9fRcmv1mZgD+HQcK/hYRQvv6Qpb04uRe/zgsbPt+PRb7UMSq9"
    "dPB4vXBhvT7qBg49709IPT0wMr0ljTW9A3invdN4vDlQgxG+omcPPred7z08zlI9GPkkvuSnQ72P+x++V8KTvbEfUL422oU9TzXuvtmXuL4A2DW+"
    "0LFEPVOPCj0vX4O9tKI9PolE+z6sU18+1UmpPeDE8jweah09QdyzPVGsxbzv4vg85lSQv6zlAcCie4y/AypUQIBHAr9hyTi+z3lRQI21fT+m+SNA"
    "VKdPPdLYsT5AB+k+6oSiv9UJ4r9gKP2+PAyOvlW8cr+H7YQ+057jvjByzr+e89O/RnDzv+Iwhz8fPFa/mqLLvgj2D0Cx6E29Z+/PPSu4B0D/8SS/"
    "tAwOQHwShT471yG93DicPJKmxbxUUJY9GV0LPt4ipTyZ7wS9gdcgvhrRwLuGjfw5K1SxvbN9Oj3wfEE8g/XaPIM4ijzX2eW8Rn3gvJXrx73aRgG+"
    "Tk7MvPDAT76Jfoo9RncVvQizgTyFJ/U9/sWmvAwxSzzvlZE9e5mdPf6+Zj5Zozo9ZY/lvCdBfD2hUZ6+4v+GvYBZs7zfgS+8WimKvt+I5r1KW0w8"
    "5rs7PTO+lTxr2uQ82+z0vNMrp72GQNO74pfuvHAaLb7oLOw9w6OGPS7GKz3XB6U9mzalPbRvAz/jjSE+WfgaPe+RNLx+5nE+G5wQvjOwjL2xFei8"
    "jDROPx4bCT7uUIo+/5SuvheeWT3Da428h669vYnTKD6Juge8DaKMPjUttr0iWnW9I1KSu7Qca71o5k4/XHUsPlyeWb0kuum+Uo/gvqk4eD/dw3A+"
    "1NW9vu2QqD5nLoe+2I8ovVunVD8FgMU+o/drPk6grD0eGwk+ko0SP3vIgb8Ygwk+VXe8v/ptCD8a4ME+ddGbPzLXob7/M2c+We4mvbStLz+WBYO8"
    "nJwIPZfc5b5gP5M+K7TUPvswGD81hRBA2Zpcv1L8WcAHdSBAj3Y2PjtNEj1WYzS+jgUhv/VL4D6acJC97lCKPt3tpT7F4sg+GyYBvkphIT7aqSM9"
    "gQ6Svz4l376Rt7Y+Uz8UvvCG47xej4u+inhyPk4ZKL/fVos9kC5wPu7vDD/U04E/i45NPsGYqb8cWJ8/9/6lPhzNxr2s0Fe/Z1ELP3UBG78z//s6"
    "8yUhP7wD0L2KpN69mziAPcBOVT5929c+HBANP/UmHj5qxUA82LE2vomzgL6JjFu+PqE0P4PI0b6/Z7M8G5MjvTjBYr6wXiS/hzo9vJ39Wz7e8LI8"
    "g/GCPYI4+L5LAOs72FqnvuM8bj0FAVi+FoyuPwyekT32fA29m5L3PpDpkb7aJJY6AZFHvdKdmT4k4HO+NqnIPV00Jb9wci09qB6bvnyzjT6Upx09"
    "VHvlPXLco74wqi8/MUBIPZdsgD1V7SO/2wFqPrur+b75J4Y8tQE8P6r3xT0oaTy/LgllwMLirj5YXoW9fl6Kv96Vu76JNk0/wMDTPvvokj6OwPw/"
    "C8sBwAAAAAAkIAxAFa4HvwaHDMByzs2/Iza3PtKTVL6XTXA//HdmvgVqwT9NtRs+v9A3Pc4AnL0QVT6+DFCMvoIxtL0Fs9A9GNBPPmv4ob7lBRM+"
    "oX0zP8fa1rksEMA9AAAAAFdt+z5b8y0/w/uwvuPulb+pB9Y+JlXvvRlLBz9bYvC+nTCAPt+jyLwk7RQ9QW0FP5hNY77hW8a9gCXPPvveKz3Wk5y+"
    "QgJiv13SET+iEQw/bFURvjSMcL6SDma+4fzOvY0a7T5oikM+WQDOvW2BFL23K/I+/LZ5vKwVB73eo/G8jHmZv6V9DD+rACI/+rXkPc4YuD6eY1A+"
    "tC4NQC0li7+6kVw/ydp+P712iz7YZsu/9kflP+dpbr/W51O/bFQdvt1rwr73vh293lPSv8MAKr+RZP+86LbhvuTMUD55aWM+r3t1PsypT7pd9oQ+"
    "7OeSP0tnPD7ih6e+LRSQvnEVAj8GyU8/q1WaPv+ubb+zX+c9U6eXPel9oT4Z2j6+U1XDvmAbkjyz9I094OIevw3OCj2wYT09OUBTvUVHxj6EdzO+"
    "4Y1fvszdbD4eMaC+3Gr3vCR3Nz9IX7E+L+mEvqZ6vzxcu/s+gBwzv3CZ3704Vg08mKMpPnpULD75QAK+m4Uov+oMPD+qBOU8NC6LvuQ+rD5w0vs8"
    "TDs6vabUDL88Twc/U7nlvX+ViL2/l86+jJedvk4H573mmkg9nZugvrSpO77WVgW+3FrXvjdgLT0/zMG+r0WIvTWNNz6S9Xu/x3CtPtrJi7+oiRQ+"
    "SoMGvnZLmb5xyIy+FYAGvguVfj28RBE//CKpPgbnxT4/5b2+iOeXPoe0iL4Sr+S8LC2+PoVXlz6w7NS9CSfDvgPTGD5FiQW/cp9EPgbB5T3GnHs8"
    "Qjn7vkQLYUB7g5w+bQ4fv1XIaj9zsGm/KZO4vnirHj6W5Hk/HycHvvefMz6JepM9ZL0pPrpR575B8Aq+9wz0vtbxrD73DPS+XkLPvtw/YD8L6fg+"
    "qD7APh1qML/2SsY+/RQqviw4ab1phum+yFKDPj4dA722wC67TOdpvqtCuD55WLI/l9o/v7XSp7/ftpU+6QL9Pi/rtz6wpqM/ktuVvwsj9D6U4rS9"
    "8bQBPrzO671YkpA+OPDVvsG/Ij9zYpa8V9eKPU83wL3mO90+5J/ovotSFT9LqCA8KBk/vRyWg7+cvo2+5yfjvk/v7j4pZyS+zCS/PO4Mwr6x3bw+"
    "7NJcPqKWab43EhrAHt3JPC9MbcB2gws/lw8wPzciwT0d9xlAuBDjP2jy5D+RbVS+dZZ4vmrt1T9OXELASLXDPqngtr5hVnS8wKMmv4uLrL/eqxI9"
    "JYAzwB5LBEGRmLm+ZqHAPrFixr+YWTq8FPeZwIeh8z73fAHAG0Cav6epvr5ydPC+OZ0IPmkLAT8aIKI9LlkRPX07fL3XaZW+zm7WvWr7WT5X49m9"
    "xJzIvNYZDD0ou3S+ztoOvqGPjDyxYVY+6/wUvwazbr96VBm+5bLnvvmdlT2Xymw+NbhpPyWRHbxZ+XW9"
)
"""Of the products of two features, row by row, as float32 in base64."""
