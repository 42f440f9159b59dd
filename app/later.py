#!/usr/bin/python3
"""app/later.py: libraries that a program opens when it first calls one of their functions.
later.py OUT.c NEEDS.c OUT.args NM LIBRARY.so... -- ARCHIVE...

Two thirds of what stickslip-cli costs to start is to load libraries that most of its commands never call: what draws brings two dozen with it, Ipopt one
dozen. OUT.c has a stub for each function of the libraries that the archives call: it jumps to the function, which the first call looks up in its
library. OUT.args tells the linker to take the stubs (--wrap), so that no source knows of it; nothing else then needs the libraries, and --as-needed leaves
them out. NEEDS.c is a program that names the functions, and so needs the libraries. Only for x86-64: meson.build asks for it there alone."""
import os
import subprocess
import sys

STUB = '''\
__asm__ (".text\\n.globl __wrap_@NAME@\\n.type __wrap_@NAME@, @function\\n__wrap_@NAME@:\\n"
         "movq ssapp_later+@SLOT@(%rip), %r11\\ntestq %r11, %r11\\nje 1f\\njmp *%r11\\n1: pushq $@NUMBER@\\njmp ssapp_later_enter\\n");
'''

# The number of the function is on the stack; what it was called with is kept while it is looked up.
CODE = '''\
/* Made by app/later.py, which says what it is. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const libraries[] = {@LIBRARIES@};
static const struct {
  char library, name[@LONGEST@];
} functions[] = {
@FUNCTIONS@};
__attribute__ ((visibility ("hidden"))) void *ssapp_later[sizeof functions / sizeof functions[0]];
__attribute__ ((visibility ("hidden"), used)) void *ssapp_later_find (unsigned long number);

void *
ssapp_later_find (unsigned long number)
{
  void *function = NULL;

  if (dlopen (libraries[(int)functions[number].library], RTLD_LAZY | RTLD_GLOBAL) != NULL)
    function = dlsym (RTLD_DEFAULT, functions[number].name);
  if (function == NULL) {
    fprintf (stderr, "stickslip: %s\\n", dlerror ());
    abort (); /* whoever reads what a solver prints (base/ssapp-capture.h) is given it then */
  }
  __atomic_store_n (&ssapp_later[number], function, __ATOMIC_RELEASE);
  return function;
}

__asm__ (".text\\n.type ssapp_later_enter, @function\\nssapp_later_enter:\\n"
         "pushq %rax\\npushq %rdi\\npushq %rsi\\npushq %rdx\\npushq %rcx\\npushq %r8\\npushq %r9\\nsubq $136, %rsp\\n"
         "movups %xmm0, (%rsp)\\nmovups %xmm1, 16(%rsp)\\nmovups %xmm2, 32(%rsp)\\nmovups %xmm3, 48(%rsp)\\n"
         "movups %xmm4, 64(%rsp)\\nmovups %xmm5, 80(%rsp)\\nmovups %xmm6, 96(%rsp)\\nmovups %xmm7, 112(%rsp)\\n"
         "movq 192(%rsp), %rdi\\ncall ssapp_later_find\\nmovq %rax, %r11\\n"
         "movups (%rsp), %xmm0\\nmovups 16(%rsp), %xmm1\\nmovups 32(%rsp), %xmm2\\nmovups 48(%rsp), %xmm3\\n"
         "movups 64(%rsp), %xmm4\\nmovups 80(%rsp), %xmm5\\nmovups 96(%rsp), %xmm6\\nmovups 112(%rsp), %xmm7\\n"
         "addq $136, %rsp\\npopq %r9\\npopq %r8\\npopq %rcx\\npopq %rdx\\npopq %rsi\\npopq %rdi\\npopq %rax\\n"
         "addq $8, %rsp\\njmp *%r11\\n");
'''


def symbols(nm, *arguments):
    for line in subprocess.run([nm, '-P', *arguments], check=True, text=True, capture_output=True).stdout.splitlines():
        words = line.split()
        if len(words) > 1:
            yield words[0].split('@')[0], words[1]


def soname(path):
    """The name that a program is linked to: the library's own."""
    text = subprocess.run(['readelf', '-d', path], check=True, text=True, capture_output=True, env=dict(os.environ, LC_ALL='C')).stdout
    return next(line.split('[')[1].rstrip(']') for line in text.splitlines() if '(SONAME)' in line)


def main():
    out, needs, arguments, nm = sys.argv[1:5]
    parted = sys.argv.index('--')
    called = {name for name, kind in symbols(nm, '-u', *sys.argv[parted + 1:])}
    libraries, functions = [], []
    for path in sys.argv[5:parted]:
        libraries.append(soname(path))
        functions += sorted((name, len(libraries) - 1) for name in {name for name, kind in symbols(nm, '-D', '--defined-only', path) if kind in 'TWi'} & called)
    with open(needs, 'w') as file:
        file.write('/* Made by app/later.py, which says what it is. */\n%s\nint\nmain (void)\n{\n  void (*const volatile calls[]) (void) = {%s};\n  return calls[0] == 0;\n}\n' %
                   ('\n'.join('void %s (void);' % name for name, _ in functions), ', '.join(name for name, _ in functions)))
    with open(arguments, 'w') as file:
        file.writelines('-Wl,--wrap=%s\n' % name for name, _ in functions)
    with open(out, 'w') as file:
        file.write(CODE.replace('@LIBRARIES@', ', '.join('"%s"' % name for name in libraries))
                   .replace('@LONGEST@', str(1 + max(len(name) for name, _ in functions)))
                   .replace('@FUNCTIONS@', ''.join('  {%d, "%s"},\n' % (library, name) for name, library in functions)))
        for number, (name, _) in enumerate(functions):
            file.write(STUB.replace('@NAME@', name).replace('@SLOT@', str(8 * number)).replace('@NUMBER@', str(number)))


main()
