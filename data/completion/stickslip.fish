# fish completion of stickslip: projects and scenarios.

complete -c stickslip -f -k -a '(__fish_complete_suffix .stickslip; __fish_complete_suffix .stickslip.json)'
