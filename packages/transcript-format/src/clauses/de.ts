export const de = {
  open: `
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner mein meine meinen
    meinem meiner dein deine sein seine seinen seinem ihr ihre ihren ihrem unser unsere unseren euer eure dieser
    diese dieses diesen diesem jeder jede jedes jeden welche welcher welches in im ins an am auf aus bei beim
    mit nach seit von vom vor zu zum zur für durch gegen ohne um über unter hinter neben zwischen während wegen
    trotz bis und oder aber denn sondern sowie dass weil wenn als ob obwohl damit bevor nachdem sobald falls wie
    wo wer was wann warum wieso ich er wir man es du ist sind war waren hat habe haben hatte wird werden wurde
    kann können muss müssen soll will wollen möchte nicht sehr ganz nur auch sogar äh ähm also`,
  begin: `
    also und aber dann jetzt nun so okay ja nein genau weil wenn denn deshalb deswegen außerdem danach zuerst
    schließlich gut was wie`,
};
