-- Stemmers without a list of stop words: words of the lists have stems, too.
CREATE TEXT SEARCH DICTIONARY danish_unlisted (TEMPLATE = snowball, LANGUAGE = danish);
CREATE TEXT SEARCH DICTIONARY dutch_unlisted (TEMPLATE = snowball, LANGUAGE = dutch);
CREATE TEXT SEARCH DICTIONARY english_unlisted (TEMPLATE = snowball, LANGUAGE = english);
CREATE TEXT SEARCH DICTIONARY finnish_unlisted (TEMPLATE = snowball, LANGUAGE = finnish);
CREATE TEXT SEARCH DICTIONARY french_unlisted (TEMPLATE = snowball, LANGUAGE = french);
CREATE TEXT SEARCH DICTIONARY german_unlisted (TEMPLATE = snowball, LANGUAGE = german);
CREATE TEXT SEARCH DICTIONARY hungarian_unlisted (TEMPLATE = snowball, LANGUAGE = hungarian);
CREATE TEXT SEARCH DICTIONARY italian_unlisted (TEMPLATE = snowball, LANGUAGE = italian);
CREATE TEXT SEARCH DICTIONARY nepali_unlisted (TEMPLATE = snowball, LANGUAGE = nepali);
CREATE TEXT SEARCH DICTIONARY norwegian_unlisted (TEMPLATE = snowball, LANGUAGE = norwegian);
CREATE TEXT SEARCH DICTIONARY portuguese_unlisted (TEMPLATE = snowball, LANGUAGE = portuguese);
CREATE TEXT SEARCH DICTIONARY russian_unlisted (TEMPLATE = snowball, LANGUAGE = russian);
CREATE TEXT SEARCH DICTIONARY spanish_unlisted (TEMPLATE = snowball, LANGUAGE = spanish);
CREATE TEXT SEARCH DICTIONARY swedish_unlisted (TEMPLATE = snowball, LANGUAGE = swedish);
CREATE TEXT SEARCH DICTIONARY turkish_unlisted (TEMPLATE = snowball, LANGUAGE = turkish);
