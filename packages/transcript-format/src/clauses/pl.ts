export const pl = {
  open: `
    w we z ze na do od za o u po przy przed pod nad bez dla przez między oraz i a ale lub albo czy że żeby aby
    bo ponieważ gdy kiedy jeśli jeżeli jak gdzie kto co który która które którzy których którego której którym
    którą jaki jaka jakie jego jej ich mój moja moje nasz nasza nasze wasz swój swoją swoje swojej ten ta to ci
    te tego tej tym tych każdy każda każde żaden jakiś jakaś jakieś ja my on ona oni one nie ni nawet tylko też
    także bardzo tak już jest są był była było byli były będzie będą być mam ma mamy mają może mogą można trzeba
    się by eee`,
  begin: `
    więc i ale bo teraz potem dobrze okej tak no jeśli gdy kiedy dlatego ponieważ poza następnie najpierw jednak
    oczywiście jak co`,
};
