export const id = {
  open: `
    yang di ke dari pada untuk dengan dan atau tetapi tapi namun karena sebab bahwa agar supaya jika kalau bila
    ketika saat sambil sejak hingga sampai seperti sebagai oleh dalam antara terhadap tentang tanpa melalui bagi
    serta maupun adalah ialah merupakan akan telah sedang masih harus dapat bisa belum tidak bukan jangan sangat
    lebih paling terlalu agak para sebuah seorang suatu setiap semua beberapa banyak sang si ia apa siapa mana
    dimana kapan mengapa kenapa bagaimana berapa hanya juga pun eh`,
  begin: `
    jadi dan tapi tetapi karena sekarang nah oke ya lalu kemudian kalau jika ketika selain pertama terakhir
    setelah namun akhirnya bagaimana`,
};
