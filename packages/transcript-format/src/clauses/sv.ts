export const sv = {
  open: `
    en ett den det de denna detta dessa min mitt mina din ditt dina sin sitt sina hans hennes dess vår vårt våra
    er ert deras varje någon något några ingen inget inga i på av till för från med om vid hos under över mellan
    genom utan mot efter före innan sedan och eller men att som när medan eftersom därför fast än vad vem vilken
    vilket vilka hur varför var jag vi han hon man är har hade blir blev ska skulle kan kunde måste vill ville
    får inte mycket väldigt mer mest också bara även så ju eh`,
  begin: `
    så och men för nu sedan sen okej ja nej bra alltså eftersom om när då först dessutom slutligen hur vad
    därför`,
};
