# fish completion of stickslip-cli: the program says what the last word may become (app/cli/cli-complete.c).

function __stickslip_cli
    set -l words (commandline -opc)
    set -l candidates ($words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $candidates) -gt 0
        printf '%s\n' $candidates
    else
        __fish_complete_path (commandline -ct)
    end
end

complete -c stickslip-cli -f -a '(__stickslip_cli)'
