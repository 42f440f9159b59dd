int ssapp_worker_main (void);
int
main (void)
{
  return ssapp_worker_main ();
}
