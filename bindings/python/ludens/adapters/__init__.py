# SPDX-License-Identifier: MIT
"""Games in the forms that other packages expect. Nothing here is imported unless it is used:

    from ludens.adapters.gymnasium import SingleRoleEnv     # games for one role
    from ludens.adapters.pettingzoo import ParallelGame     # all agents act in each step
    from ludens.adapters.pettingzoo import TurnGame         # one agent after the other
    from ludens.adapters.openspiel import Game              # for algorithms of OpenSpiel in Python
"""
