export const it = {
  open: `
    il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle al allo alla ai
    agli alle dal dalla dai dalle nel nello nella nei negli nelle sul sulla sui sulle col e ed o oppure ma né
    che perché se quando dove come mentre anche siccome poiché quale quali chi cui mio mia miei mie tuo tua suo
    sua suoi sue nostro nostra nostri nostre loro questo questa questi queste quel quello quella quei quelle
    ogni qualche alcuni alcune io lui lei noi voi mi ti si ci vi è sono era erano ho hai ha abbiamo hanno aveva
    avevano sarà stato viene può possono deve devono molto più meno così non già eh`,
  begin: `
    allora quindi e ma perché adesso ora poi bene ok sì dunque se quando inoltre infatti però invece prima
    infine cioè come`,
};
