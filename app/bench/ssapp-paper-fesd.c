/* app/bench/ssapp-paper-fesd.c: figures and tables of paper 000; how one is added: ssapp-paper-item.h. */
#include "app/bench/ssapp-paper-item.h"

#include "app/bench/ssapp-bench-fesd.h"

static SsappBenchSheet *
make_orders (const SsappPaperPlan *plan, const SsappPaperItem *item, char **message)
{
  const SsappBenchFesdPlan fesd = {.control = plan->control, .say = plan->say};
  SsappOrderFigure *figure = NULL;
  g_autofree char *csv = NULL;
  int n_failed;
  SsappBenchSheet *sheet = ssapp_bench_fesd_order (&fesd, &csv, &figure, &n_failed);

  (void)item;
  (void)message;
  ssapp_order_figure_free (figure);
  return sheet;
}

#define FESD "Nurkanović et al. 2023, FESD-J"

/* clang-format off */
const SsappPaperItem ssapp_paper_fesd_items[] = {
  {.paper = {"fesd-j-figure-6", "fesd-j", "Fig. 6", "Orders of FESD-J", FESD ": Fig. 6 and section 5.1",
    "Two balls on a spring of 1e4 N/m, the lower one bounces (e = 0.8): the error at 1 s over the length of an element, with Radau IIA and Gauss-Legendre "
    "of 1 to 4 stages. The slopes are fitted and stand beside the theory, 2 n - 1 and 2 n, and beside those of the same equations solved by another "
    "program. The paper draws the errors and does not print them.", NULL, NULL},
   .make = make_orders, .tables = "slopes;runs"},
  {.paper = {NULL}},
};
/* clang-format on */
