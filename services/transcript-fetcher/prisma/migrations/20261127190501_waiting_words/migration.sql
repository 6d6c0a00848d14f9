-- Words that waited before. In a transaction of its own, because the one before keeps searches out.
SELECT gin_clean_pending_list('library_words');
