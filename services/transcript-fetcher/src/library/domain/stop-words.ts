/** Stop words of Postgres, as people type them without their accents. */
const UNACCENTED: Readonly<Record<string, string>> = {
  danish_stem: `
    nar ogsa pa sadan vaere vaeret`,
  finnish_stem: `
    eivat etta han haneen hanella hanelle hanelta hanen hanessa hanesta hanet hanta heidan heidat heilla
    heilta heissa heista heita keilla keilta keina keissa keista keita kenella kenelta kenena kenessa
    kenesta keta ketka meidan meidat meilla meilta meissa meista meita mika milla milta mina minka missa
    mista mita mitka naiden naihin naiksi nailla naille nailta naina naissa naista naita nama niilla
    niilta niina niissa niista niita seka siina siita silla silta sina sita tahan taksi talla talle
    talta tama taman tana tassa tasta tata teidan teidat teilla teilta teissa teista teita tuota`,
  french_stem: `
    a etaient etais etait etant etante etantes etants ete etee etees etes etiez etions eumes eutes fumes
    futes meme`,
  german_stem: `
    dass fur konnen konnte uber wahrend wurde wurden`,
  hungarian_stem: `
    altal altalaban amig arrol at azert aztan azutan bar belul egesz egyeb eleg elo eloszor elott elso
    en eppen es ezert fele igy ismet jo jol keressunk keresztul kivul kozott kozul legalabb magat mar
    mas masik miert mig neha nehany nelkul o ok oket ossze ra sajat szamara talan tehat tobb tovabb
    tovabba ugy uj ujabb ujra utan utana utolso valo`,
  italian_stem: `
    avra avro fara faro perche piu sara saro stara staro`,
  norwegian_stem: `
    a bade bae hja na nar ogsa pa sa sann sjol vaere vaert`,
  portuguese_stem: `
    ate eramos estao estavamos estiveramos estivessemos foramos fossemos ha hao houveramos houverao
    houveriamos houvessemos ja nao sao sera serao seriamos so tambem tera terao teriamos tinhamos
    tiveramos tivessemos voce voces`,
  spanish_stem: `
    eramos estabamos estais estan estara estaran estaras estare estareis estaria estariais estariamos
    estarian estarias esteis esten estes estuvieramos estuviesemos fueramos fuesemos habeis habia
    habiais habiamos habian habias habra habran habras habre habreis habria habriais habriamos habrian
    habrias hayais hubieramos hubiesemos mas mia mias mio mios seais sera seran seras sere sereis seria
    seriais seriamos serian serias si tambien tendra tendran tendras tendre tendreis tendria tendriais
    tendriamos tendrian tendrias teneis tengais tenia teniais teniamos tenian tenias tuvieramos
    tuviesemos`,
  swedish_stem: `
    an ar at da dar for fran nagon nagot nagra nar over pa sa sadan sadana sadant sjalv varfor`,
  turkish_stem: `
    aslinda bazi birkac birsey cok cunku hic icin mi nasil nicin sey su tum`,
};

/** In the lists of Postgres for a verb or a pronoun, and everyday nouns or their plurals, too: French avions, which its newer list leaves out. */
const ORDINARY: Readonly<Record<string, string>> = {
  dutch_stem: 'haar wezen',
  french_stem: 'avions sommes',
  german_stem: 'waren',
  italian_stem: 'stessi stesse stesso',
  russian_stem: 'был была было были другой какой какая',
  spanish_stem: 'estado estados estada estadas sentido sentidos sentida sentidas',
  swedish_stem: 'vara',
};

const toSets = (lists: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(lists).map(([dictionary, words]) => [dictionary, new Set(words.trim().split(/\s+/))]));
const unaccented = toSets(UNACCENTED);
const ordinary = toSets(ORDINARY);

/** Whether a word is a stop word of a language, whose dictionary has it in its list or not. */
export const isStopWord = (dictionary: string, word: string, isListed: boolean): boolean =>
  (isListed || unaccented.get(dictionary)?.has(word) === true) && !ordinary.get(dictionary)?.has(word);
