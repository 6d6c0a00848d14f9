export const fr = {
  open: `
    le la les l un une des du de d au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos
    leur leurs chaque quelque quelques plusieurs aucun aucune à en dans sur sous par pour avec sans chez vers
    entre contre depuis pendant avant après comme et ou mais ni car que qu qui dont où si quand lorsque puisque
    parce quel quelle quels quelles comment pourquoi je j tu il elle on nous vous ils elles c'est j'ai c'était
    qu'il qu'elle qu'on qu'ils d'un d'une y ne n se s me m te t est sont était étaient a ont avait avaient ai as
    suis es sera va vont vais peut peuvent doit faut très trop plus moins aussi même tout toute tous toutes euh`,
  begin: `
    alors donc et mais parce maintenant ensuite puis bon ok oui non voilà si quand comment pourquoi bref enfin
    d'abord après c'est`,
};
