/* app/base/ssapp-latex.c: see ssapp-latex.h. */
#include "app/base/ssapp-latex.h"

#include <string.h>

/* What LaTeX would take for its own, and signs that its plain fonts lack. */
static const struct {
  const char *sign, *latex;
} signs[] = {
    {"λₙ", "$\\lambda_n$"},
    {"λₜ", "$\\lambda_t$"},
    /* letters with accents of their own first */
    {"q̇", "$\\dot q$"},
    {"v̇", "$\\dot v$"},
    {"φ̇", "$\\dot\\varphi$"},
    {"M̂", "$\\hat M$"},
    {"ℓ̇", "$\\dot\\ell$"},
    {"ℓ", "$\\ell$"},
    {"ẋ", "$\\dot x$"},
    {"ẏ", "$\\dot y$"},
    {"ṗ", "$\\dot p$"},
    {"ᵀ", "$^T$"},
    {"√", "$\\surd$"},
    {"≈", "$\\approx$"},
    {"≠", "$\\ne$"},
    {"—", "---"},
    {"‘", "`"},
    {"³", "$^3$"},
    {"½", "$\\frac12$"},
    {"₂", "$_2$"},
    {"₃", "$_3$"},
    {"ᵢ", "$_i$"},
    {"ψ", "$\\psi$"},
    {"η", "$\\eta$"},
    {"κ", "$\\kappa$"},
    {"ξ", "$\\xi$"},
    {"Φ", "$\\Phi$"},
    {"Σ", "$\\Sigma$"},
    {"Ω", "$\\Omega$"},
    {"∫", "$\\int$"},
    {"→", "$\\to$"},
    {"↔", "$\\leftrightarrow$"},
    {"′", "$'$"},
    {"ζ", "$\\zeta$"},
    {"χ", "$\\chi$"},
    {"Γ", "$\\Gamma$"},
    {"Π", "$\\Pi$"},
    {"…", "\\dots{}"},
    {"α", "$\\alpha$"},
    {"β", "$\\beta$"},
    {"γ", "$\\gamma$"},
    {"δ", "$\\delta$"},
    {"ε", "$\\varepsilon$"},
    {"θ", "$\\theta$"},
    {"λ", "$\\lambda$"},
    {"μ", "$\\mu$"},
    {"ν", "$\\nu$"},
    {"π", "$\\pi$"},
    {"σ", "$\\sigma$"},
    {"τ", "$\\tau$"},
    {"φ", "$\\varphi$"},
    {"ω", "$\\omega$"},
    {"Δ", "$\\Delta$"},
    {"Λ", "$\\Lambda$"},
    {"ρ", "$\\rho$"},
    {"≤", "$\\le$"},
    {"≥", "$\\ge$"},
    {"⟂", "$\\perp$"},
    {"·", "$\\cdot$"},
    {"−", "$-$"},
    {"±", "$\\pm$"},
    {"×", "$\\times$"},
    {"∞", "$\\infty$"},
    {"²", "$^2$"},
    {"°", "$^\\circ$"},
    {"∈", "$\\in$"},
    {"→", "$\\to$"},
    {"–", "--"},
    {"“", "``"},
    {"”", "''"},
    {"’", "'"},
    {"₀", "$_0$"},
    {"₁", "$_1$"},
    {"ₙ", "$_n$"},
    {"ₜ", "$_t$"},
    {"⁺", "$^+$"},
    {"⁻", "$^-$"},
    {"⁴", "$^4$"},
    {"⁵", "$^5$"},
    {"⁶", "$^6$"},
    {"⁷", "$^7$"},
    {"⁸", "$^8$"},
    {"⁹", "$^9$"},
    {"⁰", "$^0$"},
    {"¹", "$^1$"},
    {"÷", "$\\div$"},
    {"‐", "-"},
    {"\r", " "},
    {"\n", " "},
    {"\t", " "},
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"%", "\\%"},
    {"_", "\\_"},
    {"^", "\\textasciicircum{}"},
    {"~", "\\textasciitilde{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"|", "$|$"},
};

char *
ssapp_latex_words (const char *words)
{
  GString *out = g_string_new (NULL);

  for (const char *c = words, *next; *c != '\0'; c = next) {
    const gunichar letter = g_utf8_get_char (c);
    guint i = 0;
    next = g_utf8_next_char (c);
    while (i < G_N_ELEMENTS (signs) && !g_str_has_prefix (c, signs[i].sign))
      i++;
    if (i < G_N_ELEMENTS (signs)) {
      g_string_append (out, signs[i].latex);
      next = c + strlen (signs[i].sign);
    } else if (letter < 0x80 || (letter >= 0xc0 && letter <= 0x17f)) { /* what LaTeX reads as it is */
      g_string_append_unichar (out, letter);
    } else {
      g_string_append_c (out, '?');
    }
  }
  return g_string_free (out, FALSE);
}
