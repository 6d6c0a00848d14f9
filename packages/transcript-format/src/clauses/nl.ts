export const nl = {
  open: `
    de het een deze dit die dat mijn jouw je zijn haar ons onze jullie hun elke elk iedere geen enkele van in op
    aan met bij voor naar uit over door om tot te tegen tussen onder zonder sinds tijdens volgens en of maar
    want dus omdat als dan toen terwijl hoewel zodat voordat nadat waar wie wat welke hoe waarom wanneer ik jij
    hij zij we wij ze men er is was waren heb hebt heeft hebben had hadden ben bent wordt worden werd kan kunnen
    moet moeten zal zullen zou zouden wil willen mag niet heel erg zo ook nog al alleen eh uh`,
  begin: `
    dus en maar want nu dan toen oké ja nee goed nou omdat als verder daarna eerst eigenlijk bovendien hoe wat`,
};
