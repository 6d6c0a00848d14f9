export const tr = {
  open: `
    bir bu şu o her hiç bazı hangi kaç ve veya ya ile ama fakat ancak çünkü ki eğer da de hem ne nasıl neden
    niçin niye nerede kim hangisi için göre kadar gibi doğru dair rağmen dolayı sonraki önceki çok daha en pek
    gayet oldukça benim senin onun bizim sizin onların ben sen biz siz onlar diğer aynı bütün tüm birkaç birçok
    öyle böyle şöyle yani şey ee`,
  begin: `
    şimdi ama ve çünkü sonra peki evet hayır tamam yani eğer o fakat ayrıca öncelikle önce dolayısıyla mesela
    örneğin ancak`,
  end: 'var yok değil oldu olur olacak diyor dedi mi mı mu mü',
};
