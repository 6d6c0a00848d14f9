export const pt = {
  open: `
    o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa pelo pela pelos pelas de em por
    para com sem sobre entre até desde contra durante após e ou mas nem que porque se quando onde como embora
    enquanto pois qual quais quem cujo cuja meu minha meus minhas teu tua seu sua seus suas nosso nossa nossos
    nossas este esta estes estas esse essa esses essas aquele aquela cada qualquer algum alguma alguns algumas
    nenhum nenhuma todo toda todos todas eu ele ela nós eles elas me te lhe é são era eram foi foram está estão
    estava estavam tem têm tinha há ser vai vão vamos vou pode podem muito mais menos tão não já também só né`,
  begin: `
    então e mas porque agora bom pois tá sim depois aí se quando além também assim primeiro finalmente embora
    como`,
};
