export const es = {
  open: `
    el la los las un una unos unas lo al del de a en con por para sin sobre entre hasta desde hacia según
    durante contra ante bajo tras y e o u ni pero sino que porque si cuando donde como aunque mientras pues cual
    cuales quien quienes cuyo cuya qué quién cuál cómo cuándo dónde mi mis tu tus su sus nuestro nuestra
    nuestros nuestras este esta estos estas ese esa esos esas aquel aquella cada cualquier algún alguna algunos
    algunas ningún ninguna todo toda todos todas yo él ella nosotros ellos ellas me te se nos le les es son era
    eran fue fueron está están estaba estaban he has ha han hemos había hay ser puede pueden va van vamos voy
    muy más menos tan no ya también eh`,
  begin: `
    entonces y pero porque ahora bueno pues vale sí luego después si cuando además también así primero
    finalmente aunque qué cómo`,
};
