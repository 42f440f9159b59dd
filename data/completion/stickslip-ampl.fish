# fish completion of stickslip-ampl: files of problems, and the keywords that --help lists.

complete -c stickslip-ampl -f -k -a '(__fish_complete_suffix .nl; stickslip-ampl --help 2>/dev/null | string replace -rf "^  ([a-z_]+) +(.*)" "\$1=\t\$2")'
