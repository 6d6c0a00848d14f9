// Written by `npm run generate` from docs/generated/openapi.json.
export interface paths {
    "/v1/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transcript, from the cache or fetched
         * @description Send exactly one of video_id, input and url (start or read) and request_id (poll). A cache hit costs 0 credits, a delivery 1, a failure 0. HEAD says what is cached and starts nothing: 404 not_cached if a GET would have to fetch. The JSON is the same for HIT and MISS. A transcript keeps what was known of its video when it was fetched; GET /v1/video has what became known later. Each account that waits for the same new track pays 1; parallel requests of one account for one track pay 1 together, which one X-Credits-Charged reports. Polls are free, wait a few seconds for news and work for 24 hours (request_expired, after seven days request_not_found); without format they use that of the first request. Facts that last (private, deleted, no captions, language unavailable) are remembered for seven days, a refusal in a country for one, with Retry-After; what only some clients of the platform say is retryable, and remembered for ten minutes. Videos that are live, upcoming, for members first, just ended or still processed and have no captions are transcript_not_ready, with the seconds until the next look or the announced start, a day at most. A translation that fails in any way counts as refused, which is remembered for 60 seconds: meanwhile fallback requests get the labelled fallback, strict ones translation_refused. A fallback whose source track is cached costs 0. language=orig is the language that is spoken, manual captions before recognised ones; if the platform does not say it, the transcript is a labelled fallback, in strict mode language_unavailable. A list such as language=de,en delivers the first language that has a track of its own, which is no fallback, also in strict mode; if none has one, it is answered like its first language, orig apart. It costs 1 at most. Recognised speech, a translation or a fallback of a video younger than 30 days is replaced within a day of reads if the platform has a better track, for nothing. refresh=true asks at once, at any age, for 1 even if the captions are the same; if those of the platform are worse, the cached ones are delivered for 0. Other caches follow within ten minutes; what was delivered stays as it is. A track without a word is passed over for the next; if all are empty, no_captions is remembered for an hour. With format=json, passages=true adds passages beside the cues, for search indexes and models: sentences joined to at most passage_characters characters. A change of speaker and a chapter begin one; no word is changed, added or lost. start is that of the caption with the first word. It cannot go with raw=1. If the routes to the platform failed after the 202, they are asked once more before a poll gets the error.
         */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the known facts of a video; never fetches
         * @description Send exactly one of video_id, input and url. Costs 0 credits. description, tags, view_count, thumbnail_url and chapters are what the platform said of the video when its captions were last fetched; null is unknown. fetched_at is when the service learnt what status says. A broadcast without captions, and a new video whose captions may still come, is unknown. The address of a channel or playlist is single_video_required.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/citation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cite a video, or a second of it
         * @description Send exactly one of video_id, input and url. A reference of what GET /v1/video knows: channel, day, title, address and the UTC day of access. Fetches nothing and costs 0 credits. What is unknown is left out; without title and channel it is video_not_known. apa is a line in APA 7, which names the day of access only without that of publication; bibtex also serves BibLaTeX. A channel is one name, never first and last; in ris its commas, which would split it, become spaces, and one ends it. The key is the id of the video, or begins with video: if programs could not cite that.
         */
        get: operations["citeVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/video/languages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the languages of a video, without a transcript
         * @description Send exactly one of video_id, input and url. Returns the caption tracks of the video, the language that is spoken, and whether the platform translates. Costs 0 credits. The answer is that of the last transcript or look-up within a day; else the platform is asked once, without its captions. A video that cannot be seen or has no captions gets the error that its transcript would get. An account may ask 1,000 times a day, cached or not (video_languages_cap); of a free one, 100 of these may ask the platform, 25 while it is new, and they count in the pool of free accounts (free_pool_cap). HEAD asks nothing: 404 not_cached if a GET would have to.
         */
        get: operations["listLanguages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transcripts that you have received, newest first
         * @description Everything that was delivered to a key of the account or to one of its jobs, fetched or from the cache, once for each language and kind of a video, with the time of its first delivery. It lists facts and no text; text is for keys. Costs 0 credits. The newest 100,000 are kept. What came by jobs alone goes when the last of them is deleted, which jobs are after 180 days; all of it goes when the account is closed. Cached reads are listed some seconds later; the last second of a killed gateway is lost until the transcript is read again. It begins with what was delivered in the week before 2026-11-27.
         */
        get: operations["listLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find what was said in the transcripts that you have received
         * @description Finds passages that have all words of q, best first: where they stand close together, then in newer transcripts. Words in double quotes are a phrase; -word and -"a phrase" leave out passages that have them. Case, accents and vowel marks do not count, nor do endings in the languages that /docs/search lists, with the spellings that are found alike. Chinese, Japanese, Korean, Thai and other scripts without spaces are found by any of their characters. What goes on in the first twelve words of the next passage is found where it begins, once, and no word is too common to be found. Other signs separate words and mean nothing else. match has the words that were found, as far as they stand in text, their sentence, and the second of their caption, where url opens the video; start is that of the passage. Costs 0 credits. A delivery can be found some seconds later if the account has signed in or searched; what it received before that becomes findable then, the newest first, a hundred transcripts a second. A search waits three seconds for it; if that is too short, is_complete is false, and index says how many transcripts can be found and whether the rest is on its way. After an upgrade that reads words in another way it says the same of transcripts that are found by some of their words only, until they are indexed again, the newest first. A CSV says so in its header X-Is-Complete and in its last line. At most the first 1,000 passages in the newest 1,000 transcripts with these words are ranked, fewer if these are very long or q has many words; is_complete says whether that was all. What is more than the words of a day of speech is not found. An account searches once at a time, and others of it wait; after one that took longer than two seconds the next is 429 search_in_progress for some seconds. Only your own transcripts are searched, and nothing of other accounts shows in results, totals or times.
         */
        get: operations["searchLibrary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/library/words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the words of a monitor on what you have received
         * @description Shows what a monitor with these words would have found in the ten newest transcripts of the account: those of a channel, those of the jobs of a monitor, or all. Words are read as in GET /v1/library/search, and take their turn with the searches of the account: what two seconds are too short for is left out, and the next request is then 429 search_in_progress for some seconds. Of captions that have more than three of the words of a query in every passage, the last ones may not be read. Costs 0 credits and saves nothing.
         */
        post: operations["tryWords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live links of the account, newest first
         * @description With the end of each, and how often it was read. Nothing is kept of who read it.
         */
        get: operations["listLinks"];
        put?: never;
        /**
         * Hand on a transcript that you have received, or a quote of it, by a link
         * @description Who has url reads it in a browser, without an account and for nothing: title, channel, language, the text with seconds that lead to the video, and the quote marked, which is all captions between start and end. Behind .md, or with Accept: text/markdown, it is Markdown. The page names the account by its name (PATCH /v1/account), or says nothing of it. It is not indexed, and ends after days, or at once by DELETE /v1/links/{linkId}. It is 404 while the account is frozen, once it is closed, once the key that made it is revoked at once, and once the account has deleted every job by which it received the transcript. An account has 100 live links (link_limit), and makes 50 a UTC day (link_creation_cap). Costs 0 credits.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link, also within eight days of its end
         * @description Get a link, also within eight days of its end.
         */
        get: operations["getLink"];
        put?: never;
        post?: never;
        /**
         * Take a link back, at once and for ever
         * @description One that is over is answered unchanged. A key with a daily_credit_cap, or an app, takes back only what it has made: else begun_by_another_key.
         */
        delete: operations["endLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/{linkId}/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a link, without a credential
         * @description A page without scripts, at most 600 times a minute and gateway for all readers. With .md behind its address, or with Accept: text/markdown, it is Markdown. A browser gets a page with an error, too. Costs 0 credits.
         */
        get: operations["readLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the videos of a channel, a playlist or a resolved list
         * @description Send exactly one of url and input. Up to 500 videos a page; pass next_offset for the next one. Listings are shared and kept for an hour, so recent uploads may be missing; all pages of one walk show the same moment. A new listing counts towards 25 a day, once per input. Costs 0 credits. The first page is answered as soon as 501 videos are found; later pages belong to the listing of the first one for two days. cached is up to five seconds old. Facts that the platform does not give are null: its pages have no dates, its Data API no durations. In an ordinary playlist is_short is only what the platform marks. A video that stands in a list twice is listed once. A listing ends after 20,000 videos: if there are more, omitted is at least 1. An account may have 1,000 channel names a day resolved (channel_resolution_cap); ids do not count. A missing source is source_not_found, repeated for a minute without asking. HEAD begins no listing: 404 not_cached.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/videos/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn any text into a list of videos
         * @description Finds links of every shape and bare ids in the text, at most 500 different videos, and says which of them can be seen. GET /v1/videos?url=list:<key> lists them later; the same videos in the same order have the same key. Costs 0 credits. Videos come in order of appearance. A bare id counts alone on its line, in a cell or a list, and behind a name such as id or youtube; a word of 11 letters in a sentence is none. A text without any is empty_list; more than 500 videos or 2,000 links is list_too_large. A look-up is believed for a day, that a video cannot be seen for an hour; one that takes 20 seconds is try_again. An account may look up about 5,000 unknown videos a day, 50,000 if paid (look_up_cap); where each costs a request to the platform, a free one 1,000, of 5,000 of all free accounts (free_pool_cap); it may make 200 new lists (list_cap). A list that is unused for 30 days is selection_expired.
         */
        post: operations["resolveVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search videos, channels or playlists, or inside a channel
         * @description A page costs 1 credit when it is delivered, also an empty one; a failure costs 0. The same request of the same key within 60 seconds gets the same page for 0 credits. Inside a channel the type is video. A continuation works for a week, for the account, q, type and channel of its page. A page counts towards the day from its admission until it fails; search_attempt_cap stands for both limits. HEAD searches nothing: 404 not_cached.
         */
        get: operations["searchPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the jobs of the account, newest first
         * @description List the jobs of the account, newest first.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Create a job of up to 500 transcripts
         * @description Send exactly one of input and video_ids. Each video without a cached transcript reserves a credit at once; it is charged when its transcript is fetched, and the credit is free again if it fails. Videos beyond a daily limit wait until 00:00 UTC. A source that is not listed within two seconds is enumerated first. If the credits do not cover all new transcripts: 402 with required, available and shortfall. The job, its videos and its credits are saved before the answer and work begins after it, so an error has charged nothing. A source larger than the jobs of the tier is job_size_cap, or fails the job if only its listing shows it; nothing is cut off: use newest, or list it and send video_ids in parts. A video whose failure may pass is tried three times; outages, the budget and daily limits use up no try; broadcasts and captions that may still come are waited for, for six hours, and for a week in a job of a monitor, which also waits a day for the language of a strict request. active_job_cap does not count jobs that only wait for broadcasts or captions to come, and names the others in active_job_ids. An account begins 200 jobs a day, 2,000 if paid (job_creation_cap). After a 5xx the job is listed or costs nothing; a repeat with the Idempotency-Key says which.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job: progress, credits and its first 100 videos
         * @description completed: at least one transcript was delivered; failed: none was, or error says why. paused: nothing is at work, or few videos of a job that lacks credits; under another status pause_reason holds some videos back, such as those beyond 25 a day of a young account. resumes_at is null if it is unknown, and after thirty days of one pause the job fails. credits.reserved is one for each video at work or in line. A fetched transcript was charged; a cached one was not, also if another request had fetched it meanwhile. waiting_for and next_attempt_at are of a video that is tried again. webhook.status is of the newest event. Jobs are kept for 180 days after their end.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Delete a job that has ended
         * @description Deletes its list of videos, files and archives; charges stay. Repeats of its Idempotency-Key get the first answer as before. A job whose last video has not ended is 409 job_not_ended. A key with a daily_credit_cap, or an app, deletes only what it has begun: else begun_by_another_key.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get when you are mailed about a job
         * @description By default, as its mail says if you made it, or have the work of who did; else never.
         */
        get: operations["getJobMail"];
        /**
         * Choose when you are mailed about a job
         * @description It holds for the person who is signed in, and for nobody else. event_mails false of PATCH /v1/account/mail ends all such mails.
         */
        put: operations["chooseJobMail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the videos of a job
         * @description List the videos of a job.
         */
        get: operations["listJobVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed videos that may succeed now
         * @description Costs nothing by itself; fetched transcripts are charged under the caps of the key that retries. A job that was paused because its key was revoked goes on under that key; its webhook_url is used no more. Any other job that is active, or has no such videos, is answered unchanged. It takes up videos whose error is retryable, transcript_not_ready or po_token_required. A cancelled job is 409 job_cancelled. A key with a daily_credit_cap, or an app, retries what it has begun, or what paused because its key was revoked: else begun_by_another_key.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job
         * @description Begins nothing more and releases the credits for it at once; videos under way end, and are charged if they are delivered. finished_at is the end of the last one. A job that has ended is answered unchanged. A session, or a key without a daily_credit_cap, may cancel every job of the account, whatever key began it; a key with one, or an app, only what it has begun: else begun_by_another_key.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all files of an ended job as ZIP, in one or several formats
         * @description Built on request and kept for seven days. An archive is split before a ZIP has 80 MiB: then the answer is an index of its parts. Ranges (one at a time) resume a download; If-Range with the ETag keeps it to the same ZIP, If-None-Match asks only for another one (304). HEAD builds nothing: 404 not_cached. Each ZIP that is answered counts as a cache read of the key. Costs 0 credits. An archive waits for the last video of its job (archive_job_not_ready says how many are left); a job without deliveries has an archive of its manifests. Its folder is named after the job, else after its channel or playlist, else Source; each part holds the manifests, and index.html, which links all files and videos and works offline. With several formats each has a folder of its own with its manifests. 202 comes after 20 seconds. archive_cap: 20 archives a day and 512 MiB kept, 200 and 20 GiB if paid, with failed ones and rebuild=1; an archive that is there is answered in any case. archive_failed is answered for an hour, then the next request builds again. An archive that is replaced can be read for ten more minutes.
         */
        get: operations["getJobArchive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all transcripts of an ended job as one text, or in parts for notebooks
         * @description The transcripts stand in the order of the job, below a table of contents and a list of the videos without a transcript, with the reason; each has its number as heading, Transcript 5, which all readers of Markdown link alike, its title, the address of its video, channel and day, and whether it is translated by machine. Without max_words the answer is one file. With it, it is a ZIP of numbered texts, each with its own table of contents and of at most max_words words, all that it says included, and a text that lists the missing ones: what stands between spaces is a word, in scripts without spaces two letters are, and of a word above 32 bytes each 32. A transcript is never cut, unless it alone is longer: then it goes on in further parts, cut between paragraphs, with (2 of 3) behind its title. In the format md each paragraph links to its second. Built, kept, limited and read in ranges as GET /v1/jobs/{id}/archive says, with its errors, and an index in its place if the ZIP has 80 MiB. Costs 0 credits. What a cancelled job has delivered is its document; a job that has delivered nothing is 404 document_empty.
         */
        get: operations["getJobDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the manifest of a job: what it delivered, video by video
         * @description JSON and CSV have the same columns. If the source could not be read whole (omitted), a CSV says so in its header X-Is-Complete and in its last line. sha256 is that of the bytes of the file route. In CSV, text that a spreadsheet would run starts with an apostrophe. Costs 0 credits. It may be read before the job ends. language and track are aliases of delivered_language and caption_kind. translation is not_requested if there was none. output_file names are given in the order of the job; names that differ only in case or in composed accents count as equal.
         */
        get: operations["getJobManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/files/{videoId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download one transcript of a job, in the format of the job
         * @description Counts as a cache read of the key. Costs 0 credits. The bytes and headers are those of raw=1, the name is that of the manifest without a number. A video that is not ready is 404 transcript_not_ready with the seconds to wait, one that was not delivered job_video_not_found. A file that was lost is 502 manifest_file_unavailable until it is made again, for 0 credits. With passages=true the answer is an object of cues and passages, as GET /v1/transcript describes them; the job needs the format json.
         */
        get: operations["getJobFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the progress of a job as server-sent events
         * @description Events are named job; the data of each is the whole progress (JobProgress), and the id its version. The first one comes at once. The stream ends with the job, or after 25 seconds; clients reconnect after ten. A client that reconnects with the Last-Event-ID of an ended job gets 204. GET /v1/jobs/{id} has the final state. Costs 0 credits. An event comes twice a second at most, a comment every ten seconds. Ten streams at a time per key, and ten for all sessions of the account: stream_cap.
         */
        get: operations["streamJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the monitors of the account, up to 1,000 per page
         * @description Those that are not cancelled first, then the cancelled ones; each group newest first, then by id. The newest 1,000 cancelled monitors are kept for a year.
         */
        get: operations["listMonitors"];
        put?: never;
        /**
         * Create a monitor: watch a channel or a playlist for new videos
         * @description Send exactly one of channel and playlist. Videos that are there now are not new. The source is read about every 15 minutes: new videos are sent to the webhook and, with auto_fetch, fetched by a job. A video is new if it was not in the feed at creation; each is reported once, the oldest first, up to 100 in one event, and one that is upcoming, private or for members when it is public (looked at ever more rarely, after eight days about once a day). A playlist is watched whole: its first 15 videos at each look, the others 100 a look on average, so an addition at the end of 500 is reported within 75 minutes. A source that is gone is source_not_found, which is believed for an hour. An account creates 10 monitors a day, 250 if paid (monitor_creation_cap); monitor_limit does not clear by itself. words are looked for in each transcript that such a job delivers, as GET /v1/library/search finds them: a match is listed, sent as monitor.words_found, and mailed as mail says. Automatic jobs have the format both and the monitor's webhook_url and key, whose daily credit cap holds for them.
         */
        post: operations["createMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a monitor: its state, its last check and its number of new videos
         * @description pause_reason key_revoked: its key was revoked at once, or its app disconnected; it goes on when another key resumes it. tier_limit: the tier allows fewer monitors, and the newest pause first; they go on when there is room. webhook_missing: the webhook that it had is gone or disabled. insufficient_credits ends when its job can begin. Other refusals of its job are in last_error and are tried again within the hour.
         */
        get: operations["getMonitor"];
        put?: never;
        post?: never;
        /**
         * Cancel a monitor
         * @description Jobs that it has begun go on. A monitor that is cancelled already is answered unchanged. A key with a daily_credit_cap, or an app, cancels only what it has begun: else begun_by_another_key.
         */
        delete: operations["cancelMonitor"];
        options?: never;
        head?: never;
        /**
         * Change the words, the mails or auto_fetch of a monitor
         * @description What is not sent stays. words replaces all queries; new ones count for transcripts that are not matched yet. auto_fetch true fetches the videos that are found from then on. A monitor that then fetches, and whose auto_fetch or words changed, is that of the key that changed it, or of the key of the session; its webhook_url stays until the key that gave it ends. mail is of who made the monitor, and only they change it (mail_of_another): PUT /v1/monitors/{id}/mail is for everybody. A key with a daily_credit_cap, or an app, changes only what it has begun: else begun_by_another_key.
         */
        patch: operations["changeMonitor"];
        trace?: never;
    };
    "/v1/monitors/{id}/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the videos that a monitor found, newest first
         * @description Those that were there when it was created are none of them. A cancelled monitor lists none.
         */
        get: operations["listMonitorVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitors/{id}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the new videos in which the words of a monitor were said, newest first
         * @description One for each video and query, with up to five passages. They are kept for 90 days, also those of a cancelled monitor, and go with a deleted job.
         */
        get: operations["listMonitorMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the new videos in which words of your monitors were said, newest first
         * @description The matches of all monitors in one list, as GET /v1/monitors/{id}/matches has those of one. In CSV each sentence has its line.
         */
        get: operations["listMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitors/{id}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get when you are mailed about a monitor
         * @description By default, as its mail says if you made it, or have the work of who did; else never.
         */
        get: operations["getMonitorMail"];
        /**
         * Choose when you are mailed about a monitor
         * @description It holds for the person who is signed in, and for nobody else. event_mails false of PATCH /v1/account/mail ends all such mails.
         */
        put: operations["chooseMonitorMail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/monitors/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a monitor whose key was revoked
         * @description It becomes a monitor of the key that resumes it, goes on with what it has found meanwhile, and has no webhook_url any more. Any other monitor is answered unchanged.
         */
        post: operations["resumeMonitor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the Atom feeds of the account
         * @description For sessions alone: what a key or an app can read ends with it.
         */
        get: operations["listFeeds"];
        put?: never;
        /**
         * Create an Atom feed, or renew its address
         * @description The feed of a monitor with words has its matches, that of another one its new videos, and without monitor_id it has the matches of all. An earlier address ends within a minute.
         */
        post: operations["createFeed"];
        /**
         * End an Atom feed
         * @description Its address answers 404 within a minute, as an unknown one does.
         */
        delete: operations["endFeed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feeds/{feedId}/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an Atom feed, without a credential
         * @description The newest 100 matches, with their sentences and seconds, or videos, at most a minute old. Titles lead to the transcript in the dashboard. Costs 0 credits. Not found while the account is frozen or closed.
         */
        get: operations["readFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the webhook of the account, without its secret
         * @description Get the webhook of the account, without its secret.
         */
        get: operations["getWebhook"];
        /**
         * Create or replace the webhook of the account, and enable it
         * @description It replaces everything but the secret, which stays unless rotate_secret is true. A delivery succeeds with a 2xx whose whole body, of 64 KiB at most, arrives within ten seconds; else it is tried again after 1 minute, 10 minutes, 2 hours and 11 hours, and a little more. If every attempt of five days fails, on three of them at least, the webhook is disabled (failing) and the owner is mailed. Addresses of private networks are webhook_url_private in every notation. credits.low is sent once, until the account has reached the threshold again; credits that are only held do not count.
         */
        put: operations["putWebhook"];
        post?: never;
        /**
         * Delete the webhook of the account and its secret
         * @description Deliveries in progress are still sent, signed with the old secret.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event to the webhook
         * @description Send a webhook.test event to the webhook.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of the last 30 days, newest first
         * @description An event of an account without a webhook is not sent later; one of a disabled webhook is a failed delivery without attempts, which can be sent again. Events of one job that may leave at the same time leave by their version.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts and its body
         * @description Get a delivery with its attempts and its body.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the event of a delivery
         * @description Creates a new delivery of the same body with its own attempts, signed with the current secret. Events of the account go to the current URL of the webhook, and so do those that were not sent because the key that gave their URL was revoked (key_revoked). One to a receiver goes to its current address. A delivery that has not ended is replaced and not attempted again. Test events, resends and new receivers together: at most 200 per day and account.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the receivers of the account, the oldest first
         * @description List the receivers of the account, the oldest first.
         */
        get: operations["listReceivers"];
        put?: never;
        /**
         * Create a receiver: a further server, or a channel of Slack, Discord or Teams
         * @description Beside the webhook of the account, which it does not change, each receiver gets the events that it has chosen. A job or a monitor that names receivers sends its events to these alone. signed sends the body and the headers of a webhook, with a secret of its own. slack, discord and teams send a message for people to the address that the chat service has made: its title leads to the video or the page, the words are bold, each sentence has its second, and a job says what it cost; pings nobody. Such an address is a secret, so answers have its host and its last four characters only. Retries, deliveries and the end after failures are those of the webhook; the account is mailed. A limit of a chat service is waited out and is no attempt, and an address that it has ended (gone) ends the receiver at once. credits.low comes when the credits fall below low_balance_threshold of PATCH /v1/account/mail. An account has ten receivers (receiver_limit). Costs 0 credits.
         */
        post: operations["createReceiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receivers/{receiverId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a receiver, without its secret
         * @description Get a receiver, without its secret.
         */
        get: operations["getReceiver"];
        put?: never;
        post?: never;
        /**
         * Delete a receiver and its secret
         * @description Nothing more is sent to it: deliveries that wait for it fail.
         */
        delete: operations["deleteReceiver"];
        options?: never;
        head?: never;
        /**
         * Change a receiver, and enable it
         * @description What is not sent stays. Deliveries in progress keep their address and their secret. A receiver of a chat service has no signing secret: receiver_without_secret.
         */
        patch: operations["changeReceiver"];
        trace?: never;
    };
    "/v1/receivers/{receiverId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test event to a receiver
         * @description Send a webhook.test event to a receiver.
         */
        post: operations["testReceiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/receivers/{receiverId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what a receiver has not taken since a time
         * @description Deliveries that have failed since then and were not sent again, each once, in their order, at most 100: with is_complete false there are more. A repeat finds none, until they fail again. They count as resends, of which an account has 200 a day with its test events and new receivers.
         */
        post: operations["replayReceiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use the service as an assistant, over the Model Context Protocol
         * @description Streamable HTTP without sessions and streams: one JSON-RPC 2.0 message a request, one JSON answer. tools/list names the tools. A tool call is one request: it counts, costs and fails as the route that it stands for. A failed tool call is a result with isError and the error envelope of that route, to which remedy adds the next step. A list of messages is batch_tool_calls. An MCP-Protocol-Version that is not supported is 400 with a JSON-RPC error in place of the envelope. A key is accepted, or the access token of a connected app, and no session; without either the answer is 401 and says where to connect. A tool that the connection does not allow is 403 insufficient_scope in place of a result, with the scopes to ask the holder for. Requests of other sites are origin_not_accepted. Titles and transcripts in results are data, never instructions.
         */
        post: operations["sendMcpMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sign-in code by email
         * @description The answer is the same whether the address has an account or not. Addresses are trimmed, lower-cased and NFKC, with an IDNA domain; dots and plus tags stay. An address gets 3 codes an hour and 10 a day, the same again for each browser that has signed in before (together 20 a day); a network (/24, /48) 20 an hour and 60 a day. disposable_email also means subdomains of listed domains, and domains whose mail exchanger is listed.
         */
        post: operations["requestCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a code for a session and the first key
         * @description The key is shown once, at sign-up; later sign-ins answer `key: null`. After five wrong guesses the address is locked for fifteen minutes, also for the right code; browsers that have signed in before have guesses of their own. A network has 20 wrong guesses an hour and 60 a day, and 20 a day at one address; a code that is not six digits costs none; spaces, hyphens and invisible characters in a pasted code are ignored. Only the right code is answered code_used, code_expired or account_closed. At most five accounts share one mailbox, and a domain that is no mail provider has at most twenty new free accounts in 31 days (signup_rate_limited). A session ends after 12 idle hours, at the latest after 30 days.
         */
        post: operations["verifyCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join an account by the code of an invitation
         * @description It makes no account, key or credits, and its session stays in that account. An address that has an account elsewhere signs in first, in the same browser: else sign_in_required. Five wrong codes lock an invitation for their network for fifteen minutes. Only the right code is answered code_used, code_expired, account_closed or sign_in_required.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on in another account of your address
         * @description The session ends, and another one takes its place until the same time. GET /v1/account lists the accounts. A session that an invitation opened stays where it is: sign_in_required.
         */
        post: operations["switchAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session
         * @description End the session.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live sessions of your address, in all its accounts, the last used first
         * @description List the live sessions of your address, in all its accounts, the last used first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all sessions of your address except this one
         * @description Requests with an ended session are refused. API keys are not affected.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one session of your address
         * @description It may be your own; only POST /v1/auth/logout also clears the cookie.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of the account, without secrets
         * @description Every key that works and the hundred that were revoked last, newest first.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description A key with a daily credit cap creates keys with a cap no higher than its own. A key counts as live while it works and has no successor; key_limit says when the first place comes free. An account creates at most 50 keys within 24 hours. A lower tier ends the keys beyond its limit in 24 hours: those whose place the account has had longest stay.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dashboard/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the key of this session
         * @description For what a session may not do. A session has one key, the same each time; it ends with the session, and its jobs and monitors go on. It is not listed, takes no place among the keys and sends no mail. Those of an account share their daily limits.
         */
        post: operations["createDashboardKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a key, or change its daily credit cap
         * @description A key may lower a cap; raising or removing one takes a session. A key with a cap changes only itself and keys that it created: else begun_by_another_key. The change takes effect everywhere within 30 seconds.
         */
        post: operations["updateKey"];
        /**
         * Revoke a key, now or in 24 hours
         * @description A repeat changes nothing; a scheduled revocation can be brought forward, never put off. It takes effect everywhere within 30 seconds. Jobs and monitors of a key that is revoked at once pause (key_revoked) until another key retries or resumes them, and nothing more is sent to a webhook_url that it gave; those of a key that ends later, or was rotated, go on under the cap of its successor. A key with a cap revokes only itself and keys that it created: else begun_by_another_key.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an active key by a new one
         * @description The new key takes over name and cap unless they are given. The old key works for 24 hours more. Rotating works at the key limit. A key that is not active is 400 key_revoked; a capped key rotates only itself.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the connected apps of the account
         * @description Live connections, newest first. A connection is a key of its own with a cap and scopes: usage and the ledger name it by its id. Its access tokens last an hour, and open only routes of its scopes: none that manage keys, connections, sessions, the webhook or purchases.
         */
        get: operations["listConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect an app
         * @description Its tokens end everywhere within 30 seconds. Its jobs and monitors pause (key_revoked) until another key retries or resumes them and nothing more is sent to a webhook_url that it gave. A connection that has ended is connection_not_found. A key with a daily_credit_cap ends none: begun_by_another_key.
         */
        delete: operations["endConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connections/requests/{appRequestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what an app asks for
         * @description For the page on which the holder allows or refuses it. Only the browser that the app opened can read the request, for half an hour.
         */
        get: operations["getConnectionRequest"];
        put?: never;
        /**
         * Allow or refuse what an app asks for
         * @description Allowing makes a connection, of which a mail informs the holder. It always includes read; all else takes a daily_credit_cap. Then open redirect_to in the same browser: it leads back to the app. A repeat makes no second connection.
         */
        post: operations["answerConnectionRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get credits, tier, limits, usage of today and keys
         * @description Get credits, tier, limits, usage of today and keys.
         */
        get: operations["getAccount"];
        /**
         * Create or replace the webhook: same as PUT /v1/webhooks
         * @description Create or replace the webhook: same as PUT /v1/webhooks.
         */
        put: operations["putInAccount"];
        post?: never;
        /**
         * Delete the webhook, or close the account permanently
         * @description webhook: same as DELETE /v1/webhooks, without a body. account, for owners: all keys are revoked, all sessions end and the address cannot sign up again. This cannot be undone. Keys then answer 403 account_closed, sessions 401. Money: each bought block of which nothing is used is refunded to its buyer, and so is a block that waits to be accepted, that running work gives back whole, or that is paid later; an open checkout page is closed. Not refunded: a block of which a credit is used, whose money was refunded in part or is held by a bank, or that would pay a debt. Free and given credits, and the rest of a used block, are lost. The holder cannot close a frozen account.
         */
        delete: operations["deleteFromAccount"];
        options?: never;
        head?: never;
        /**
         * Name the account, for the readers of its links
         * @description The name stands in what it hands on by a link. null takes it away: then a link says nothing of who.
         */
        patch: operations["nameAccount"];
        trace?: never;
    };
    "/v1/account/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change when your daily and weekly mail come, and below which balance an account is mailed
         * @description These are the choices of the person who is signed in, and of nobody else; low_balance_threshold is of the account, and only owners and billing change it (role_required). What is not sent stays. A monitor or a job mails who made it as its mail says, unless they chose otherwise, and who chose it by PUT /v1/monitors/{id}/mail or PUT /v1/jobs/{id}/mail. What concerns the account, its money and its security, is mailed to its owners and billing. The daily and the weekly mail have 30 events each, or up to 50 of different kinds, and say how many more there were. They come only if there is something, and follow the clock of the time zone: a changed time holds for one that waits, too. Mails about what has stopped always come to who made it and whom it mails, and if credits are missing to owners and billing, at most one a day for each cause: a job that waits for credits, for a daily limit of more than a day or for a key, a paused monitor.
         */
        patch: operations["changeMailSettings"];
        trace?: never;
    };
    "/v1/mail/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the page with the button that ends mails: links in mails lead here
         * @description It changes nothing, because mail programs open links before people do.
         */
        get: operations["showMailStop"];
        put?: never;
        /**
         * End mails by one click (RFC 8058)
         * @description The link of a mail about monitors and jobs ends these, or those of one monitor or job, on behalf of its reader: it ends with that person, and is used up when they choose these mails again. That of an invitation ends invitations to its address.
         */
        post: operations["stopMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people of the account and its waiting invitations
         * @description People in the order in which they joined, invitations newest first; the latter for owners only.
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Invite somebody to the account
         * @description Mails a link and a code, which work for 7 days; a second invitation of the same address ends the first. An address that wants none answers invitations_stopped. Credits, keys and limits stay those of one account. If the person becomes an owner, each owner is mailed. An account has at most 50 people and invitations and sends 20 in 24 hours, three of them to one mailbox, which gets six of all free accounts.
         */
        post: operations["invitePerson"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/people/{personId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person, leave the account, or withdraw an invitation
         * @description Only owners remove others. Sessions, keys and connections of the person end at once. Their jobs and monitors end with work=end, as those of a key that is revoked at once (key_revoked), and go on with work=pass_on: paid by the account, under the daily_credit_cap of who removes the person, or of the oldest other owner if the person leaves; of who leaves only an owner passes work on. The person is mailed, and the address may sign up again. The last owner cannot be removed: last_owner. An invitation needs no work.
         */
        delete: operations["removePerson"];
        options?: never;
        head?: never;
        /**
         * Change the role or the daily cap of a person
         * @description What is not sent stays. It takes effect within 30 seconds. The keys and connections of a person who becomes billing end, and their jobs and monitors go on. The last owner stays one: last_owner.
         */
        patch: operations["changePerson"];
        trace?: never;
    };
    "/v1/account/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened in the account: who, when, from where
         * @description Sign-ins, and changes of people, keys and the account, newest first. It is kept for ever.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get usage by day and key, or the credit ledger
         * @description Rollups come oldest day first; days and keys without use are left out. The ledger comes newest first, one entry per change of what the account owns; follow next, and new entries shift nothing. Costs 0 credits. At most 366 days and 4,000 entries. A request is every answer to a key that was let in, a failure one with an error; sessions do not count. Requests, hits and failures of other gateways are a second or two late, and the last second of a killed gateway is lost; deliveries, pages and credits are the ledger's: exact, at once, on the day of the charge. Parameters of the other mode are unknown_parameter. A ledger offset without as_of counts from now.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests that were charged or failed, newest first
         * @description The requests of 7 days, of every key and session of the account, that were charged, that failed, or that were answered 202 and may be charged later: the poll that delivers such a transcript has its charge. Cached reads and other successes are counted by usage only. No body, secret or parameter but the ids of video and job is kept. Costs 0 credits. A request appears within two seconds. An account keeps the newest 2000 with one error code and 10000 without an error. A flood of one error is logged 120 times a minute; what a killed gateway had not reported is missing. The ledger has every charge.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request by its id
         * @description The id is X-Request-Id of the answer, and request_id of an error. 404 for requests that are not in the log (see GET /v1/requests).
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the blocks of credits and their prices
         * @description To buy one, send its block to this path with POST.
         */
        get: operations["listPrices"];
        put?: never;
        /**
         * Buy a block of credits, or request the refund of an unused one
         * @description Buying answers the address of a page where the block is paid; the credits arrive a moment later. Asking for another block closes the page that the account has open. action=refund takes back a block of which nothing is used and returns its money; a repeat answers its progress; a mailbox gives three blocks back within 30 days (refund_limit), more by support; owners and billing are mailed which block was given back, and by whom. A key with a daily_credit_cap, of its own or of its person, buys, and gives nothing back. A page is open for half an hour; purchase_in_progress names the one that the account has open in checkout_url. Without a credential the answer is the same whether or not the address has an account. Ten checkouts an hour from one network, or of one account: rate_limit. new_account_purchase_limit: an account with a purchase buys another once its deliveries have cost 100 credits in all. An account is paid as long as a purchase stands that it has made itself.
         */
        post: operations["checkout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Close a checkout page: the processor redirects buyers here if they cancel
         * @description Close a checkout page: the processor redirects buyers here if they cancel.
         */
        get: operations["cancelCheckout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a signed event from the payment processor
         * @description The signature covers the bytes of the body. 200 says that the event and its effects are saved, now or before; kinds without effect are saved as well. It has at most 128 KiB, a Content-Length, a time within five minutes, and our mode, live or test. An event that contradicts our record is 400, so the processor sends it again; a refund or dispute is saved in any case. After 30 unsigned ones of a network within a minute its next ones are 429, except from addresses of which a signed one came within the hour.
         */
        post: operations["receivePaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to the payment processor's portal
         * @description By a session, or a key without a daily_credit_cap, its own or its person's.
         */
        get: operations["openPortal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/purchases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the purchases of the account, newest first
         * @description receipt_url is null for keys, apps and members: sessions of owners and billing see it. A dispute of a purchase that the account made itself freezes the account and takes the block back, into debt for what is spent; a won one gives both back, a lost one leaves it frozen until support lifts it.
         */
        get: operations["listPurchases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/purchases/{purchaseId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept credits that another buyer paid for your email address
         * @description The credits arrive a moment later. They give the account no tier, and a dispute takes back this block only. A repeat answers the purchase as it is. A purchase that is not accepted within 90 days is given back to the payer. 409 purchase_withdrawn if its money was given back or is disputed. Only an accepted one can be refunded.
         */
        post: operations["acceptPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how the account refills its credits by itself
         * @description It is off until an owner or billing turns it on. Keys and apps neither see nor change it.
         */
        get: operations["getRefill"];
        /**
         * Refill by itself: below a threshold buy a block, at most so much in a UTC month
         * @description From then on a block is bought when fewer credits than threshold can be spent, at the price of today, until the month has no money left for another one: monthly_limit counts what refills have cost in the UTC month, with one under way, also if it was given back. It needs a card, which POST /v1/refill/card sets up; it is card_missing until then. One block is bought at a time, and jobs that wait for credits go on by themselves. Owners and billing are mailed each time, with what is left of the month. What the bank wants the holder of the card for, a declined and an expired card pause it: that is mailed once, and nothing is charged until it is put again, or another card is set up. It ends with a dispute, with the freezing or closing of the account, and when the person who set up the card leaves, is removed or becomes a member. A new account is refilled a second time once its deliveries have cost 100 credits. A price that changes pauses it.
         */
        put: operations["putRefill"];
        post?: never;
        /**
         * Turn refilling off, and forget its card
         * @description The card is removed from the payment processor, too. What is being charged at that moment is still charged; its block can be given back. A repeat changes nothing.
         */
        delete: operations["endRefill"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refill/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the payment processor's page where the card of the refill is set up
         * @description Nothing is paid there. The card belongs to the person of the session, and is known to the processor alone; it takes the place of another one a moment after the page. The page is open for half an hour, and counts among the ten checkouts of an hour (rate_limit). Put the refill first: refill_not_found.
         */
        post: operations["openCardPage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of the service and its latency
         * @description Needs no credential and costs nothing. At most ten seconds old, and answered even if every other route fails. unknown: no recent observation. /status is the same for people, with the last ninety days. Always 200: the body describes the service. Unknown parts impair nothing. capacity is degraded if the day's pool of free keys is used up, down if all fetches or proxy bytes of the day are. An incident lasts from the first impairment until none is left.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of this API, newest first
         * @description Answers may gain fields without an entry; everything else that callers may have to act upon gets one.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the changes of this API as an Atom feed
         * @description Get the changes of this API as an Atom feed.
         */
        get: operations["changesFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "job.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event job.completed
         * @description A job has ended, with all of its videos that could be delivered.
         */
        post: operations["on:job.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event job.failed
         * @description A job has ended without being able to deliver.
         */
        post: operations["on:job.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event job.paused
         * @description A job waits for something, which pause_reason names.
         */
        post: operations["on:job.paused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "job.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event job.resumed
         * @description A job that was paused goes on.
         */
        post: operations["on:job.resumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credits.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event credits.low
         * @description What the account can spend has fallen below low_balance_threshold (of the webhook; for a receiver that of the mails of the account); once, until it has reached it again.
         */
        post: operations["on:credits.low"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "channel.new_videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event channel.new_videos
         * @description A monitor has found videos that it had not seen before; each is reported once, the oldest first.
         */
        post: operations["on:channel.new_videos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "monitor.words_found": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event monitor.words_found
         * @description Words of a monitor were said in a new video; once for each of its queries.
         */
        post: operations["on:monitor.words_found"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The event webhook.test
         * @description A test event was requested: POST /v1/webhooks/test, or of a receiver.
         */
        post: operations["on:webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptInvitationRequest: {
            /**
             * Format: uuid
             * @description The id in the link of the mail
             */
            invitation_id: string;
            /**
             * @description The twelve letters and digits from the mail
             * @example 7KQ2M4XA9RTW
             */
            code: string;
            /**
             * @description Must be true
             * @constant
             */
            accept_terms: true;
        };
        /** @enum {string} */
        AccessScope: "read" | "fetch" | "jobs" | "monitors";
        Account: {
            /** @constant */
            ok: true;
            account: components["schemas"]["AccountProfile"];
            /** @description The person of the credential */
            person?: components["schemas"]["OwnPerson"];
            /** @description Of a session: the accounts in which its address is a person, if there are several */
            accounts?: components["schemas"]["OwnAccount"][];
            credits: components["schemas"]["CreditBalance"];
            usage_today: components["schemas"]["UsageToday"];
            limits: components["schemas"]["Limits"];
            keys: components["schemas"]["KeySlots"];
            mail: components["schemas"]["MailSettings"];
            /** @description The address of support */
            support_email: string;
        };
        AccountClosed: {
            /** @constant */
            ok: true;
            account: {
                /** Format: uuid */
                id: string;
                /** @constant */
                status: "closed";
                /** Format: date-time */
                closed_at: string;
            };
        };
        AccountNameResponse: {
            /** @constant */
            ok: true;
            account: {
                /** Format: uuid */
                id: string;
                name: string | null;
            };
        };
        AccountProfile: {
            /** Format: uuid */
            id: string;
            email: string;
            /**
             * @description By which it calls itself in what it hands on; null: it says nothing of itself
             * @default null
             */
            name: string | null;
            status: components["schemas"]["AccountStatus"];
            /** @description Why a frozen account is frozen; null for every other */
            frozen_reason: components["schemas"]["FrozenReason"] | null;
            tier: components["schemas"]["Tier"];
            /** Format: date-time */
            created_at: string;
        };
        /** @enum {string} */
        AccountStatus: "active" | "frozen" | "closed";
        AccountSwitched: {
            /** @constant */
            ok: true;
            account: {
                /** Format: uuid */
                id: string;
            };
            session: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                expires_at: string;
            };
        };
        AnswerConnectionRequestRequest: {
            /** @description Whether the app may connect */
            allow: boolean;
            /** @description What it may do, of what it asks for. Default: ["read"] */
            scopes?: components["schemas"]["AccessScope"][];
            /** @description Credits that it may spend per UTC day */
            daily_credit_cap?: number | null;
            /**
             * Format: uuid
             * @description The account that the page has named: account_changed if the session is in another one by now
             */
            account_id?: string;
        };
        ApiChange: {
            /** Format: date */
            date: string;
            title: string;
            text: string;
            url: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The person whose key it is
             */
            person_id?: string;
            name: string;
            /** @description Labels the key; unique within the account */
            prefix: string;
            daily_credit_cap: number | null;
            /** @description A revoking key works until revokes_at */
            status: components["schemas"]["KeyStatus"];
            /** Format: date-time */
            created_at: string;
            /** @description Up to ten minutes late; null if it was never used */
            last_used_at: string | null;
            revokes_at: string | null;
            revoked_at: string | null;
            /** @description The key that a rotation put in its place */
            replaced_by: string | null;
        };
        ArchiveIndex: {
            /** @constant */
            ok: true;
            /** @constant */
            status: "ready";
            /** Format: uuid */
            job_id: string;
            /**
             * Format: uuid
             * @description Send it with each part, so that no part of another archive is returned
             */
            archive_id: string;
            formats: components["schemas"]["TranscriptFormat"][];
            /** Format: date-time */
            expires_at: string;
            /** @description Bytes of all parts */
            bytes: number;
            parts: components["schemas"]["ArchivePart"][];
        };
        ArchivePart: {
            part: number;
            /** @description Relative URL; request it with the same key */
            url: string;
            bytes: number;
            sha256: string;
        };
        ArchiveQueued: {
            /** @constant */
            ok: true;
            /** @constant */
            status: "queued";
            /** Format: uuid */
            job_id: string;
            /** Format: uuid */
            archive_id: string;
        };
        /** @enum {string} */
        AttemptError: "status" | "redirect" | "timeout" | "connection" | "tls" | "dns_failed" | "dns_empty" | "private_address" | "answer_too_large" | "answer_incomplete" | "interrupted" | "key_revoked" | "refused" | "gone";
        AuditEntry: {
            /** @description Its number */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description What happened, such as key-created or person-invited */
            action: string;
            /** @description holder: a person of the account; else operator, billing, app, service or restore */
            actor: string;
            /** @description The person who acted */
            person_id: string | null;
            /** @description The key that the person used; null for a session */
            acting_key_id: string | null;
            /** @description The key that changed */
            key_id: string | null;
            /** @description Where the request came from */
            client_address: string | null;
            detail: string | null;
        };
        AuditList: {
            /** @constant */
            ok: true;
            entries: components["schemas"]["AuditEntry"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        BalanceChange: {
            before: number;
            after: number;
        };
        BlockPrice: {
            /** @description Credits */
            block: number;
            /** @description What they cost, in the smallest unit of the currency */
            amount: number;
        };
        BuyCreditsRequest: {
            /**
             * @description To buy: one of 5, 20, 50, 200, 1000
             * @enum {number}
             */
            block: 5 | 20 | 50 | 200 | 1000;
            /** @description To buy without a credential: the email address of the account that gets the credits. Its owner signs in and accepts them */
            email?: string;
        };
        /** @enum {string} */
        Buyer: "account" | "stranger";
        CachedLanguage: {
            language_code: string;
            kind: components["schemas"]["CaptionKind"];
            /**
             * @description By machine, from another language
             * @default false
             */
            translated: boolean;
            /** Format: date-time */
            cached_at: string;
        };
        CanaryStatus: {
            status: components["schemas"]["PartState"];
            checked_at: string | null;
        };
        /** @enum {string} */
        CaptionKind: "manual" | "asr";
        CaptionTrack: {
            language_code: string;
            kind: components["schemas"]["CaptionKind"];
            name: string;
        };
        CardPage: {
            /** @constant */
            ok: true;
            /** Format: uri */
            url: string;
        };
        ChangeMailSettingsRequest: {
            /** @description An IANA time zone, such as Europe/Berlin */
            time_zone?: string;
            /** @description The hour of that zone at which the daily and the weekly mail come */
            digest_hour?: number;
            /** @description The day of the weekly mail, at that hour: from 1, Monday, to 7, as ISO 8601 counts */
            digest_day?: number;
            /** @description Whether mails about monitors and jobs are sent: the link in each of them sets it to false */
            event_mails?: boolean;
            /** @description Owners and billing are mailed when fewer credits are left, once until there are as many again; null: never */
            low_balance_threshold?: number | null;
        };
        ChangeMonitorRequest: {
            /** @description Up to 20 queries that are looked for in the transcripts of new videos; only with auto_fetch */
            words?: string[];
            /** @description When you, who make it, are mailed about new videos and matches: at once, once a day, once a week, or never. Default: "none" */
            mail?: components["schemas"]["MonitorMail"];
            /** @description true: no mails about new videos, only about those in which words were said. Default: false */
            mail_only_matches?: boolean;
            /** @description true: a job fetches the transcripts of new videos, at the usual price */
            auto_fetch?: boolean;
            /** @description The ids of the receivers that alone get the events of this monitor and its jobs; none: all that are not named_only */
            receivers?: string[];
        };
        ChangePersonRequest: {
            /** @description owner: everything; member: all but people, closing and money, and only their own keys; billing: reads what is used, buys and refunds */
            role?: components["schemas"]["Role"];
            /** @description Credits that all keys and sessions of the person may spend per UTC day; null is no cap */
            daily_credit_cap?: number | null;
        };
        ChangeReceiverRequest: {
            /**
             * @description By which people know it
             * @example Newsroom
             */
            name?: string;
            /** @description Public https without credentials, port 443 or 8443; of a chat service the address that it has made */
            url?: string;
            /** @description The kinds of events that it receives, each once */
            events?: components["schemas"]["ReceiverEventType"][];
            /** @description true: only events of jobs and monitors that name it in receivers; false at first */
            named_only?: boolean;
            /** @description true issues a new secret */
            rotate_secret?: boolean;
        };
        Changes: {
            /** @constant */
            ok: true;
            api_version: string;
            /** @description The same list as an Atom feed */
            feed_url: string;
            changes: components["schemas"]["ApiChange"][];
        };
        ChannelMonitorRequest: {
            /**
             * @description A UC channel id, a channel URL or a handle
             * @example @handle
             */
            channel: string;
            /** @description For a channel: all, videos, shorts or streams; by default the tab that channel names, as GET /v1/videos lists it, else all */
            contents?: components["schemas"]["ListingContents"];
            /** @description true: a job fetches the transcripts of new videos, at the usual price. Default: false */
            auto_fetch?: boolean;
            /** @description Up to 20 queries that are looked for in the transcripts of new videos; only with auto_fetch */
            words?: string[];
            /** @description When you, who make it, are mailed about new videos and matches: at once, once a day, once a week, or never. Default: "none" */
            mail?: components["schemas"]["MonitorMail"];
            /** @description true: no mails about new videos, only about those in which words were said. Default: false */
            mail_only_matches?: boolean;
            /**
             * @description BCP 47 tag; orig is the language that is spoken. Up to eight with commas: the first that has a track, else a machine translation. Default: "en"
             * @example es
             * @example pt-BR
             * @example orig
             * @example de,en
             */
            language?: string;
            /** @description false: only the requested language, no fallback. Default: true */
            fallback?: boolean;
            /** @description URL for the events of this monitor and its jobs, instead of the webhook of the account */
            webhook_url?: string | null;
            /** @description The ids of the receivers that alone get the events of this monitor and its jobs; none: all that are not named_only */
            receivers?: string[];
        };
        ChannelNewVideosEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "channel.new_videos";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: {
                monitor_id: string;
                /** @description The channel that it watches; null if it watches a playlist */
                channel: string | null;
                /** @description The playlist that it watches; null if it watches a channel */
                playlist: string | null;
                /** @description What the platform calls it; null if it has not said */
                title: string | null;
                videos: components["schemas"]["NewVideo"][];
            };
        };
        Chapter: {
            /** @description In seconds */
            start: number;
            title: string;
        };
        Checkout: {
            /** @constant */
            ok: true;
            /** @description Where it is paid */
            checkout_url: string;
            /** Format: uuid */
            purchase_id: string;
            /** @description Credits that are bought there */
            block: number;
            /** @description What they cost, in the smallest unit of the currency */
            amount: number;
            /** @description ISO 4217, in lower case */
            currency: string;
            /** Format: date-time */
            expires_at: string;
        };
        CheckoutRequest: components["schemas"]["BuyCreditsRequest"] | components["schemas"]["RefundRequest"];
        ChooseJobMailRequest: {
            /** @description When you are mailed; null: as by default */
            mail: components["schemas"]["MailChoice"] | null;
        };
        ChooseMonitorMailRequest: {
            /** @description When you are mailed; null: as by default */
            mail: components["schemas"]["MonitorMail"] | null;
        };
        /** @enum {string} */
        CitationFormat: "apa" | "bibtex" | "ris" | "csl-json";
        CodeSent: {
            /** @constant */
            ok: true;
            message: string;
        };
        ConnectedApp: {
            /** @description What the app calls itself; no one has checked it */
            name: string;
            /** @description The host that the app returns to; localhost is this computer, and a name with a colon at its end the scheme of a program on the holder's device */
            host: string;
        };
        Connection: {
            /** Format: uuid */
            id: string;
            app: components["schemas"]["ConnectedApp"];
            /** @description What the app may do */
            scopes: components["schemas"]["AccessScope"][];
            /** @description Credits per UTC day; null if it may spend none */
            daily_credit_cap: number | null;
            /** Format: date-time */
            created_at: string;
            /** @description Up to ten minutes late; null if it was never used */
            last_used_at: string | null;
            person_id: components["schemas"]["MadeBy"];
        };
        ConnectionEnded: {
            /** @constant */
            ok: true;
            connection: components["schemas"]["Connection"];
        };
        ConnectionList: {
            /** @constant */
            ok: true;
            connections: components["schemas"]["Connection"][];
        };
        ConnectionRequestAnswered: {
            /** @constant */
            ok: true;
            /** @description An address of this service */
            redirect_to: string;
        };
        ConnectionRequestResponse: {
            /** @constant */
            ok: true;
            request: components["schemas"]["RequestedConnection"];
        };
        CreateFeedRequest: {
            /** @description The monitor; without it all matches */
            monitor_id?: string;
        };
        CreateJobRequest: components["schemas"]["SourceJobRequest"] | components["schemas"]["VideosJobRequest"];
        CreateKeyRequest: {
            /** @description 1 to 64 characters, without control characters; trimmed */
            name: string;
            /** @description Credits that the key may spend per UTC day; null is no cap */
            daily_credit_cap?: number | null;
        };
        CreateLinkRequest: {
            /**
             * @description The 11-character id of the video
             * @example dQw4w9WgXcQ
             */
            video_id?: string;
            /** @description A video URL of any shape, or a bare id */
            input?: string;
            /** @description A video URL of any shape */
            url?: string;
            /**
             * @description As it was asked for, or a language that was received; without it, what was received last of the video
             * @example en
             * @example orig
             */
            language?: string;
            /** @description The begin of a quote, in seconds of the video */
            start?: number;
            /** @description The end of the quote; with start */
            end?: number;
            /** @description After how many days it ends. Default: 30 */
            days?: number;
        };
        CreateMonitorRequest: components["schemas"]["ChannelMonitorRequest"] | components["schemas"]["PlaylistMonitorRequest"];
        CreateReceiverRequest: {
            /**
             * @description By which people know it
             * @example Newsroom
             */
            name: string;
            /** @description How events are sent; it never changes */
            form: components["schemas"]["ReceiverForm"];
            /** @description Public https without credentials, port 443 or 8443; of a chat service the address that it has made */
            url: string;
            /** @description The kinds of events that it receives, each once */
            events: components["schemas"]["ReceiverEventType"][];
            /** @description true: only events of jobs and monitors that name it in receivers; false at first */
            named_only?: boolean;
        };
        CreditBalance: {
            free: number;
            purchased: number;
            /** @description Held for work in progress */
            reserved: number;
            /** @description free plus purchased: the value of X-Credits-Balance */
            available: number;
            /** @description Credits that the account owes; new purchased credits repay it first */
            debt: number;
            /**
             * Format: date-time
             * @description When the free credits are reset to 100; unused ones expire
             */
            free_resets_at: string;
        };
        CreditsLowEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "credits.low";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: {
                /** @description Free and purchased credits together */
                available: number;
                threshold: number;
                /** @description Of the balance: of two events the higher one is the newer one */
                version: number;
            };
        };
        /** @description In seconds */
        Cue: {
            start: number;
            duration: number;
            text: string;
            /** @description With words=true: null for written captions, and for transcripts cached without them */
            words?: components["schemas"]["Word"][] | null;
        };
        Cues: components["schemas"]["Cue"][];
        DashboardKey: {
            /** Format: uuid */
            id: string;
            prefix: string;
            secret: string;
        };
        DashboardKeyResponse: {
            /** @constant */
            ok: true;
            key: components["schemas"]["DashboardKey"];
        };
        DeleteFromAccountRequest: {
            /** @description The email address of the account; only to close it */
            confirm?: string;
        };
        Delivery: {
            /**
             * Format: uuid
             * @description X-Service-Delivery, the same at each attempt
             */
            id: string;
            /**
             * Format: uuid
             * @description id in the body, the same if the event is sent again
             */
            event_id: string;
            event: components["schemas"]["WebhookEventType"];
            status: components["schemas"]["DeliveryStatus"];
            url: string;
            job_id: string | null;
            monitor_id: string | null;
            /**
             * @description The receiver that it goes to; null: the webhook of the account, or the URL of a job or a monitor
             * @default null
             */
            receiver_id: string | null;
            /** @description The delivery that this one sends again */
            resent_from: string | null;
            /** @description The delivery that was requested before this one had ended: this one is attempted no more */
            replaced_by: string | null;
            /** @description Attempts that may have reached the receiver */
            attempt_count: number;
            next_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            ended_at: string | null;
        };
        DeliveryAttempt: {
            number: number;
            /** Format: date-time */
            at: string;
            /** @description Of the answer; null without one */
            status: number | null;
            milliseconds: number | null;
            /** @description Null if it was delivered */
            error: components["schemas"]["AttemptError"] | null;
            /** @description The first KiB of the answer */
            answer: string | null;
        };
        DeliveryDetails: {
            /** @constant */
            ok: true;
            delivery: components["schemas"]["Delivery"];
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description As it is signed and sent, each time */
            body: string;
        };
        DeliveryList: {
            /** @constant */
            ok: true;
            deliveries: components["schemas"]["Delivery"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        DeliveryResponse: {
            /** @constant */
            ok: true;
            delivery: components["schemas"]["Delivery"];
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        /** @enum {string} */
        DisabledReason: "failing" | "secret_lost";
        Error: {
            /** @constant */
            ok: false;
            errorClass: components["schemas"]["ErrorClass"];
            code: components["schemas"]["ErrorCode"];
            message: string;
            retryable: boolean;
            /** Format: uri */
            docs_url: string;
            request_id: string;
            retry_after?: number;
            required?: number;
            available?: number;
            shortfall?: number;
            /** Format: uri */
            buy_url?: string;
            support_email?: string;
            bytes?: number;
            allow?: string[];
            available_languages?: string[];
            needed_scopes?: string[];
            active_job_ids?: string[];
            checkout_url?: string | null;
        };
        /** @enum {string} */
        ErrorClass: "IpBlocked" | "PoTokenRequired" | "RateLimited" | "Unavailable" | "NoCaptions" | "UpstreamError" | "RelayUnavailable" | "BudgetExhausted" | "InvalidInput" | "QuotaExceeded" | "TurnstileFailed" | "Forbidden" | "InsufficientCredits" | "AccountFrozen" | "ConfigurationError" | "NotFound";
        /** @enum {string} */
        ErrorCode: "not_found" | "method_not_allowed" | "malformed_request" | "headers_too_large" | "request_timeout" | "unsupported_media_type" | "body_too_large" | "invalid_json" | "key_in_query_string" | "unknown_parameter" | "unknown_query_mode" | "conflicting_query_modes" | "invalid_idempotency_key" | "idempotency_key_reused" | "invalid_offset" | "invalid_limit" | "invalid_list_format" | "precondition_failed" | "range_not_satisfiable" | "invalid_mcp_message" | "batch_tool_calls" | "invalid_video_id" | "single_video" | "single_video_required" | "not_cached" | "video_not_known" | "invalid_citation_format" | "invalid_at" | "invalid_request_id" | "request_not_found" | "invalid_format" | "invalid_language" | "invalid_notify_email" | "invalid_fallback" | "invalid_unpaid" | "invalid_raw" | "invalid_passages" | "invalid_passage_characters" | "invalid_refresh" | "invalid_words" | "invalid_front_matter" | "bulk_input_required" | "invalid_contents" | "invalid_text" | "invalid_search_query" | "invalid_library_query" | "invalid_search_type" | "invalid_channel" | "invalid_playlist" | "invalid_continuation" | "empty_list" | "list_too_large" | "selection_expired" | "invalid_email" | "disposable_email" | "invalid_code" | "code_not_found" | "code_expired" | "code_used" | "terms_required" | "session_not_found" | "confirmation_required" | "invalid_time_zone" | "invalid_digest_hour" | "invalid_digest_day" | "invalid_account_name" | "invalid_event_mails" | "invalid_mail_token" | "invalid_usage_date" | "invalid_usage_range" | "usage_range_too_large" | "invalid_via" | "invalid_usage_format" | "invalid_ledger_format" | "invalid_ledger_limit" | "invalid_ledger_offset" | "request_not_logged" | "invalid_error_code" | "invalid_failed" | "key_not_found" | "person_not_found" | "key_revoked" | "invalid_key_name" | "invalid_daily_credit_cap" | "empty_key_update" | "invalid_grace_period" | "replay_not_possible" | "connection_not_found" | "connection_request_not_found" | "account_changed" | "invalid_connection_answer" | "invalid_scopes" | "cap_required" | "account_not_found" | "invalid_role" | "invalid_work" | "empty_person_update" | "last_owner" | "invitations_stopped" | "already_in_account" | "invalid_credit_block" | "invalid_refill_threshold" | "invalid_monthly_limit" | "refill_not_found" | "invalid_purchase_id" | "purchase_not_found" | "purchase_withdrawn" | "refund_block_used" | "refund_reason_too_long" | "payment_account_unknown" | "payment_body_invalid_utf8" | "payment_body_too_large" | "payment_content_length_invalid" | "payment_customer_mismatch" | "payment_dispute_mismatch" | "payment_event_invalid" | "payment_product_mismatch" | "payment_refund_mismatch" | "payment_session_mismatch" | "invalid_webhook_url" | "webhook_url_invalid" | "webhook_url_private" | "webhook_dns_empty" | "webhook_not_configured" | "webhook_threshold_invalid" | "invalid_rotate_secret" | "invalid_webhook_event" | "invalid_delivery_status" | "delivery_not_found" | "receiver_not_found" | "receiver_limit" | "receiver_disabled" | "receiver_without_secret" | "invalid_receiver_name" | "invalid_receiver_form" | "invalid_named_only" | "invalid_receivers" | "invalid_receiver_events" | "invalid_receiver_id" | "empty_receiver_update" | "invalid_replay_since" | "invalid_status" | "job_size_cap" | "invalid_job_id" | "job_not_found" | "job_video_not_found" | "job_cancelled" | "job_not_ended" | "invalid_job_name" | "invalid_metadata" | "invalid_newest" | "archive_job_not_ready" | "archive_part_not_found" | "document_empty" | "archive_source_changed" | "invalid_archive_format" | "duplicate_archive_formats" | "invalid_document_format" | "invalid_max_words" | "invalid_manifest_format" | "invalid_rebuild" | "invalid_archive_part" | "monitor_source_required" | "invalid_mail" | "invalid_mail_only_matches" | "invalid_auto_fetch" | "invalid_monitor_id" | "monitor_not_found" | "feed_not_found" | "link_not_found" | "transcript_not_received" | "invalid_link_days" | "invalid_quote" | "words_need_auto_fetch" | "rate_limit" | "concurrency_cap" | "cold_fetch_cap" | "cache_read_cap" | "account_age_ramp" | "free_pool_cap" | "global_cold_cap" | "daily_credit_cap" | "data_api_unit_cap" | "look_up_cap" | "list_cap" | "webhook_test_cap" | "enumeration_cap" | "job_creation_cap" | "active_job_cap" | "archive_cap" | "stream_cap" | "key_limit" | "connection_limit" | "invitation_limit" | "monitor_limit" | "monitor_creation_cap" | "link_limit" | "link_creation_cap" | "code_locked" | "signup_rate_limited" | "verify_rate_limited" | "new_account_purchase_limit" | "refund_limit" | "purchase_in_progress" | "channel_resolution_cap" | "video_languages_cap" | "search_in_progress" | "search_attempt_cap" | "ip_blocked" | "po_token_required" | "rate_limited" | "translation_refused" | "video_unavailable" | "no_captions" | "language_unavailable" | "budget_exhausted" | "relay_unavailable" | "source_not_found" | "upstream_error" | "unexpected_error" | "service_unavailable" | "books_not_open" | "transcript_not_ready" | "request_expired" | "relay_attempt_cap" | "cache_object_missing" | "settled_cache_missing" | "manifest_file_unavailable" | "archive_failed" | "archive_object_unavailable" | "archive_source_unavailable" | "payment_purchase_pending" | "payment_reconcile_page_invalid" | "payment_refund_conflict" | "payment_refund_debt_conflict" | "payment_refund_invalid" | "payment_request_failed" | "payment_response_invalid" | "webhook_dns_failed" | "missing_api_key" | "invalid_api_key" | "key_is_ending" | "cap_needs_session" | "begun_by_another_key" | "mail_of_another" | "uncapped_key_required" | "origin_not_accepted" | "insufficient_scope" | "invalid_access_token" | "authorization_required" | "cookie_not_accepted" | "session_required" | "sign_in_required" | "dashboard_header_required" | "role_required" | "account_closed" | "turnstile_failed" | "insufficient_credits" | "account_frozen" | "configuration_error" | "search_settlement_failed";
        Feed: {
            /** Format: uuid */
            id: string;
            /** @description null: the matches of all monitors */
            monitor_id: string | null;
            /**
             * Format: date-time
             * @description When it got its address
             */
            created_at: string;
            /** @description Who has it reads the feed */
            url: string;
        };
        FeedCreated: {
            /** @constant */
            ok: true;
            feed: components["schemas"]["Feed"];
        };
        FeedEnded: {
            /** @constant */
            ok: true;
        };
        FeedList: {
            /** @constant */
            ok: true;
            feeds: components["schemas"]["Feed"][];
        };
        FirstKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            secret: string;
            /** Format: date-time */
            created_at: string;
        };
        FoundPassages: {
            /** @constant */
            ok: true;
            results: components["schemas"]["LibraryPassage"][];
            /** @description False if there was more to look through (name more words, or a job or a video), or if something is not findable yet */
            is_complete: boolean;
            index?: components["schemas"]["LibraryIndex"];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        /** @enum {string} */
        FrozenReason: "payment_disputed" | "operator";
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @description Credits that all keys and sessions of the person may spend per UTC day; null is no cap */
            daily_credit_cap: number | null;
            /**
             * Format: uuid
             * @description The person who invited
             */
            invited_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        InvitationAccepted: {
            /** @constant */
            ok: true;
            account: {
                /** Format: uuid */
                id: string;
            };
            session: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                expires_at: string;
            };
        };
        InvitePersonRequest: {
            /**
             * @description Who is invited
             * @example alex@example.com
             */
            email: string;
            /** @description owner: everything; member: all but people, closing and money, and only their own keys; billing: reads what is used, buys and refunds */
            role: components["schemas"]["Role"];
            /** @description Credits that all keys and sessions of the person may spend per UTC day; null is no cap */
            daily_credit_cap?: number | null;
        };
        Job: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["JobStatus"];
            pause_reason: components["schemas"]["PauseReason"] | null;
            /** @description When what pause_reason holds back goes on by itself; null if that is unknown */
            resumes_at: string | null;
            name: string | null;
            metadata: {
                [key: string]: string;
            };
            error: components["schemas"]["JobError"] | null;
            source: components["schemas"]["JobSource"];
            /**
             * @description Entries that could not be read when its source was listed: videos may be missing
             * @default 0
             */
            omitted: number;
            format: components["schemas"]["TranscriptFormat"];
            language: string;
            fallback: boolean;
            counts: components["schemas"]["JobCounts"];
            credits: components["schemas"]["JobCredits"];
            webhook: components["schemas"]["JobWebhook"];
            /**
             * @description The receivers that alone get its events; empty: all that are not named_only
             * @default []
             */
            receivers: string[];
            monitor_id: string | null;
            person_id: components["schemas"]["MadeBy"];
            /** @description Whether mail is now */
            notify_email: boolean;
            /**
             * @description When who made it is mailed that it has completed or failed, unless they chose otherwise since
             * @default none
             */
            mail: components["schemas"]["MailChoice"];
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
            /** @description The first videos; GET /v1/jobs/{id}/videos has all */
            videos: components["schemas"]["JobVideo"][];
        };
        JobCompletedEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "job.completed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: components["schemas"]["JobEventData"];
        };
        JobCounts: {
            total: number;
            pending: number;
            processing: number;
            cached: number;
            fetched: number;
            error: number;
            cancelled: number;
        };
        JobCredits: {
            reserved: number;
            charged: number;
        };
        JobError: {
            errorClass: components["schemas"]["ErrorClass"];
            code: components["schemas"]["ErrorCode"];
        };
        JobEventData: {
            /** Format: uuid */
            job_id: string;
            /** @description The monitor that has begun the job */
            monitor_id: string | null;
            /** @description Grows with each change of the job: of two events the higher one is the newer one */
            version: number;
            status: components["schemas"]["JobStatus"];
            pause_reason: components["schemas"]["PauseReason"] | null;
            /** @description When a paused job goes on by itself; null if that is unknown */
            resumes_at: string | null;
            /** @description What the customer calls the job */
            name: string | null;
            /** @description As it was sent with the job */
            metadata: {
                [key: string]: string;
            };
            counts: components["schemas"]["JobCounts"];
            /**
             * @description Entries of its source that could not be read: videos may be missing
             * @default 0
             */
            omitted: number;
            credits: components["schemas"]["JobCredits"];
        };
        JobFailedEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "job.failed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: components["schemas"]["JobEventData"];
        };
        JobFilePassages: {
            /** @constant */
            ok: true;
            /** @constant */
            format: "json";
            cues: components["schemas"]["Cues"];
            passages: components["schemas"]["Passages"];
        };
        JobList: {
            /** @constant */
            ok: true;
            jobs: components["schemas"]["JobSummary"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        JobPausedEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "job.paused";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: components["schemas"]["JobEventData"];
        };
        JobProgress: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["JobStatus"];
            pause_reason: components["schemas"]["PauseReason"] | null;
            /** @description When what pause_reason holds back goes on by itself; null if that is unknown */
            resumes_at: string | null;
            error: components["schemas"]["JobError"] | null;
            counts: components["schemas"]["JobCounts"];
            credits: components["schemas"]["JobCredits"];
        };
        JobResponse: {
            /** @constant */
            ok: true;
            job: components["schemas"]["Job"];
        };
        JobResumedEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "job.resumed";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: components["schemas"]["JobEventData"];
        };
        JobRetried: {
            /** @constant */
            ok: true;
            job: components["schemas"]["Job"];
            /** @description Videos that are retried */
            requeued: number;
        };
        JobSource: {
            /** @enum {string} */
            kind: "video_ids" | "channel" | "playlist" | "list";
            /** @description As it was sent; null for video_ids */
            input: string | null;
            /**
             * @description What of a channel it takes
             * @default all
             */
            contents: components["schemas"]["ListingContents"];
        };
        /** @enum {string} */
        JobStatus: "creating" | "enumerating" | "pending" | "running" | "paused" | "completed" | "failed" | "cancelled";
        JobSummary: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["JobStatus"];
            pause_reason: components["schemas"]["PauseReason"] | null;
            /** @description When what pause_reason holds back goes on by itself; null if that is unknown */
            resumes_at: string | null;
            name: string | null;
            metadata: {
                [key: string]: string;
            };
            error: components["schemas"]["JobError"] | null;
            source: components["schemas"]["JobSource"];
            /**
             * @description Entries that could not be read when its source was listed: videos may be missing
             * @default 0
             */
            omitted: number;
            format: components["schemas"]["TranscriptFormat"];
            language: string;
            fallback: boolean;
            counts: components["schemas"]["JobCounts"];
            credits: components["schemas"]["JobCredits"];
            webhook: components["schemas"]["JobWebhook"];
            /**
             * @description The receivers that alone get its events; empty: all that are not named_only
             * @default []
             */
            receivers: string[];
            monitor_id: string | null;
            person_id: components["schemas"]["MadeBy"];
            /** @description Whether mail is now */
            notify_email: boolean;
            /**
             * @description When who made it is mailed that it has completed or failed, unless they chose otherwise since
             * @default none
             */
            mail: components["schemas"]["MailChoice"];
            /** Format: date-time */
            created_at: string;
            started_at: string | null;
            finished_at: string | null;
        };
        JobVideo: {
            /** @description From 0, in the order of the source */
            position: number;
            video_id: string;
            title: string | null;
            status: components["schemas"]["JobVideoStatus"];
            requested_language: string;
            delivered_language: string | null;
            /** @description Alias of delivered_language */
            language: string | null;
            /** @description Null before delivery */
            fallback: boolean | null;
            /** @description Null before delivery */
            translation: ("not_requested" | "served" | "refused") | null;
            /** @description Since the job began, retries included */
            attempts: number;
            credits_charged: number;
            error_class: string | null;
            error_code: string | null;
            /** @description Why it has failed, or waits to be tried again, in words */
            message: string | null;
            /** @description Whether a retry of the job takes it up; null if it has not failed */
            retryable: boolean | null;
            waiting_for: components["schemas"]["WaitReason"] | null;
            /** @description When a video that waits is tried again */
            next_attempt_at: string | null;
        };
        JobVideoList: {
            /** @constant */
            ok: true;
            videos: components["schemas"]["JobVideo"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        /** @enum {string} */
        JobVideoStatus: "pending" | "processing" | "cached" | "fetched" | "error" | "cancelled";
        JobWebhook: {
            url: string | null;
            /**
             * @description Of its newest event; waiting before there is one, none if the account has no webhook
             * @enum {string}
             */
            status: "none" | "waiting" | "pending" | "delivered" | "failed";
        };
        JsonTranscript: {
            /** @constant */
            ok: true;
            video: components["schemas"]["Video"];
            language: components["schemas"]["TranscriptLanguage"];
            /** Format: date-time */
            fetched_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            format: "json";
            cues: components["schemas"]["Cues"];
            passages?: components["schemas"]["Passages"];
        };
        KeyCreated: {
            /** @constant */
            ok: true;
            key: components["schemas"]["NewApiKey"];
        };
        KeyList: {
            /** @constant */
            ok: true;
            keys: components["schemas"]["ApiKey"][];
            live_keys: number;
            key_limit: number;
        };
        KeyResponse: {
            /** @constant */
            ok: true;
            key: components["schemas"]["ApiKey"];
        };
        KeyRotated: {
            /** @constant */
            ok: true;
            key: components["schemas"]["NewApiKey"];
            replaced: components["schemas"]["ApiKey"];
        };
        KeySlots: {
            live: number;
            limit: number;
            /** @description The key that asked; null for a session */
            current: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
            } | null;
        };
        /** @enum {string} */
        KeyStatus: "active" | "revoking" | "revoked";
        KnownVideo: {
            id: string;
            title: string | null;
            channel_id: string | null;
            channel_title: string | null;
            published_at: string | null;
            duration: number | null;
            description: string | null;
            tags: string[] | null;
            view_count: number | null;
            thumbnail_url: string | null;
            /** @description As the description lists them; null without such a list */
            chapters: components["schemas"]["Chapter"][] | null;
            status: components["schemas"]["VideoStatus"];
            error_class: string | null;
            fetched_at: string | null;
        };
        LatencyBounds: {
            p50_ms: number | null;
            p95_ms: number | null;
        };
        LedgerEntry: {
            /** @description Number of the entry; holds also take numbers, so there are gaps */
            id: string;
            /** Format: date-time */
            created_at: string;
            /** @description refund: credits for a delivery returned as purchased credits; expiry: free credits released after the end of their month; debt: credits lent for a charge or a dispute that the balance did not cover; debt_payment: purchased credits that repaid debt; dispute: the credits of a disputed purchase removed; purchase_refund: the credits of a refunded purchase removed */
            kind: components["schemas"]["LedgerEntryKind"];
            /** @description Change of the balance; a delivery is negative */
            amount: number;
            /** @description free plus purchased plus reserved; before equals after of the previous entry */
            balance: components["schemas"]["BalanceChange"];
            free: components["schemas"]["BalanceChange"];
            purchased: components["schemas"]["BalanceChange"];
            /** @description Held for work in progress; a delivery is paid from here */
            reserved: components["schemas"]["BalanceChange"];
            /** @description What it was for. purchase: a block; refund_ended: its money was not returned after all; dispute_ended: the dispute was won; outage: a tenth of what deliveries cost on the day that reference ends with, because there was no way to fetch for four hours of it */
            reason: string | null;
            video_id: string | null;
            /** @description The requested language */
            language: string | null;
            /** @description The job whose videos were charged or refunded */
            job_id: string | null;
            /** @description Number of its videos that this entry is about */
            rows: number | null;
            /** @description The query of a search */
            q: string | null;
            /** @description The kind of results of a search */
            type: string | null;
            reference: string;
            key_id: string | null;
            /** @description X-Request-Id of the request that started the work */
            request_id: string | null;
            person_id: components["schemas"]["MadeBy"];
            via: components["schemas"]["Via"];
        };
        /** @enum {string} */
        LedgerEntryKind: "monthly_grant" | "grant" | "delivery" | "refund" | "expiry" | "debt" | "debt_payment" | "dispute" | "purchase_refund";
        LedgerPage: {
            /** @constant */
            ok: true;
            rows: components["schemas"]["LedgerEntry"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
            /** @description Number of entries when this reading began */
            as_of: number;
            /** @description SHA-256 over all entries up to as_of; null for a minute or two. The seal of an as_of never changes */
            seal: string | null;
        };
        Library: {
            /** @constant */
            ok: true;
            transcripts: components["schemas"]["LibraryTranscript"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        LibraryIndex: {
            /** @description Received, as far as the filters choose them */
            transcripts: number;
            /** @description Of these, those that are found by each of their words */
            indexed: number;
            /** @description True while the rest becomes findable: ask again in a second */
            is_growing: boolean;
        };
        LibraryPassage: {
            video_id: string;
            title: string | null;
            channel_id: string | null;
            channel_title: string | null;
            published_at: string | null;
            duration: number | null;
            language: string;
            kind: components["schemas"]["CaptionKind"];
            translated: boolean;
            /**
             * Format: date-time
             * @description When the account first had it
             */
            received_at: string;
            /** @description In seconds, never later than the first word of the passage */
            start: number;
            end: number;
            text: string;
            /** @description Where the words of q stand closest together, as they stand in text */
            match: {
                /** @description In seconds: of the caption with the first of the words */
                start: number;
                text: string;
                /** @description As it stands in text: the sentence with the words, or the words around them of a long one */
                sentence?: string;
            };
            /** @description The video from the match on */
            url: string;
        };
        LibraryTranscript: {
            video_id: string;
            title: string | null;
            channel_id: string | null;
            channel_title: string | null;
            published_at: string | null;
            duration: number | null;
            language: string;
            kind: components["schemas"]["CaptionKind"];
            translated: boolean;
            /**
             * Format: date-time
             * @description When the account first had it
             */
            received_at: string;
        };
        /** @description Limits of the tier: per account for live keys, jobs, archives and monitors, else per key */
        Limits: {
            requests_per_minute: number;
            concurrent_cold_fetches: number;
            cold_fetches_per_day: number;
            cache_reads_per_day: number;
            cold_enumerations_per_day: number;
            live_keys: number;
            active_jobs: number;
            videos_per_job: number;
            search_pages_per_day: number;
            search_attempts_per_day: number;
            archive_builds_per_day: number;
            archive_bytes: number;
            monitors: number;
        };
        Link: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Who handed it on
             */
            person_id: string;
            video_id: string;
            title: string | null;
            channel_id: string | null;
            channel_title: string | null;
            published_at: string | null;
            duration: number | null;
            language: string;
            kind: components["schemas"]["CaptionKind"];
            translated: boolean;
            /** @description The language that was asked for */
            requested: string;
            /** @description The quote, in seconds of the video; null: the whole transcript */
            start: number | null;
            end: number | null;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Of one that was taken back, when it was
             */
            ends_at: string;
            /** @description How often it was read, also by programs that make previews */
            opens: number;
            /** @description Who has it reads the link */
            url: string;
        };
        LinkList: {
            /** @constant */
            ok: true;
            links: components["schemas"]["Link"][];
        };
        LinkResponse: {
            /** @constant */
            ok: true;
            link: components["schemas"]["Link"];
        };
        ListedVideo: {
            video_id: string;
            title: string | null;
            published_at: string | null;
            /** @description Seconds */
            duration: number | null;
            thumbnail_url: string | null;
            is_short: boolean;
            /** @description Whether the shared cache holds a transcript; may be briefly stale */
            cached: boolean;
            /**
             * @description The language that is spoken; null if it is not known
             * @default null
             */
            original_language: string | null;
            position: number;
        };
        /** @enum {string} */
        ListingContents: "all" | "videos" | "shorts" | "streams";
        ListingCounts: {
            listed: number;
            cold: number;
        };
        ListingSource: {
            /** @enum {string} */
            kind: "channel" | "playlist" | "list";
            id: string;
        };
        /**
         * @description Who made or caused it; null if unknown
         * @default null
         */
        MadeBy: string | null;
        /** @enum {string} */
        MailChoice: "now" | "daily" | "none";
        MailOfWorkResponse: {
            /** @constant */
            ok: true;
            /** @description When you are mailed: at once, once a day, once a week, or never */
            mail: components["schemas"]["MonitorMail"];
            /** @description Whether you chose it; else it is as by default */
            is_chosen: boolean;
        };
        MailSettings: {
            /** @description An IANA time zone, such as Europe/Berlin */
            time_zone: string;
            /** @description The hour of that zone at which the daily and the weekly mail come */
            digest_hour: number;
            /**
             * @description The day of the weekly mail, at that hour: from 1, Monday, to 7, as ISO 8601 counts
             * @default 1
             */
            digest_day: number;
            /** @description Whether mails about monitors and jobs are sent: the link in each of them sets it to false */
            event_mails: boolean;
            /** @description Owners and billing are mailed when fewer credits are left, once until there are as many again; null: never */
            low_balance_threshold: number | null;
        };
        MailSettingsResponse: {
            /** @constant */
            ok: true;
            mail: components["schemas"]["MailSettings"];
        };
        Manifest: {
            /** @constant */
            ok: true;
            /** Format: uuid */
            job_id: string;
            monitor_id: string | null;
            name: string | null;
            metadata: {
                [key: string]: string;
            };
            /**
             * @description Entries that could not be read when its source was listed: videos may be missing
             * @default 0
             */
            omitted: number;
            status: components["schemas"]["JobStatus"];
            format: components["schemas"]["TranscriptFormat"];
            rows: components["schemas"]["ManifestEntry"][];
        };
        ManifestEntry: {
            /** @description Of the video in the job */
            position: number;
            video_id: string;
            title: string | null;
            published_date: string | null;
            status: string;
            requested_language: string;
            delivered_language: string | null;
            /** @description Null before delivery */
            fallback: boolean | null;
            /** @description Null before delivery */
            translation: components["schemas"]["TranslationOutcome"] | null;
            /** @description Alias of delivered_language */
            language: string | null;
            /** @description Alias of caption_kind */
            track: components["schemas"]["CaptionKind"] | null;
            caption_kind: components["schemas"]["CaptionKind"] | null;
            attempts: number;
            credits_charged: number;
            /** @description What fetched it; null if it was cached */
            strategy: string | null;
            /** @description transcripts/YYYY-MM-DD - Title.ext; in archives relative to the root of the ZIP */
            output_file: string | null;
            /** @description Of the bytes that the file route delivers, in hex */
            sha256: string | null;
            error_class: string | null;
            error_code: string | null;
            /** @description Of the video */
            url: string;
            channel_id: string | null;
            channel_title: string | null;
            /** @description Of the video, in seconds */
            duration: number | null;
            /** @description When its captions were fetched */
            view_count: number | null;
            thumbnail_url: string | null;
            /** @description Of the transcript; null if its script has no spaces between words, or if it is of an earlier release */
            words: number | null;
        };
        Match: {
            /**
             * Format: uuid
             * @description The same in lists, events and mails
             */
            id: string;
            /** @description One of the words of the monitor */
            query: string;
            video: components["schemas"]["MatchedVideo"];
            language: string;
            /**
             * @description By machine: nobody said these words
             * @default false
             */
            translated: boolean;
            /** @description The first 5, in their order: with so many there may be more */
            passages: components["schemas"]["MatchPassage"][];
            /** Format: date-time */
            found_at: string;
            monitor_id: string;
        };
        MatchList: {
            /** @constant */
            ok: true;
            matches: components["schemas"]["Match"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        MatchPassage: {
            /** @description In seconds: of the caption with the first of the words */
            start: number;
            /** @description The sentence with the words, or the words around them of a long one */
            text: string;
            /** @description The words that were found, as they stand in text; older matches have none */
            words?: string;
            /** @description The video from there on */
            url: string;
        };
        MatchedVideo: {
            video_id: string;
            title: string | null;
            published_at: string | null;
            /** @default null */
            channel_title: string | null;
        };
        /** @description A JSON-RPC 2.0 response: result or error */
        McpAnswer: {
            /** @constant */
            jsonrpc: "2.0";
            id: (string | number) | null;
            result?: {
                [key: string]: unknown;
            };
            error?: {
                code: number;
                message: string;
                data?: unknown;
            };
        };
        Monitor: {
            id: string;
            status: components["schemas"]["MonitorStatus"];
            pause_reason: components["schemas"]["MonitorPauseReason"] | null;
            /** @description The channel that it watches; null if it watches a playlist */
            channel: string | null;
            /** @description The playlist that it watches; null if it watches a channel */
            playlist: string | null;
            /** @description What the platform calls it; null if it has not said */
            title: string | null;
            /**
             * @description videos, shorts or streams if it watches that list of a channel, whose id is playlist; else all
             * @default all
             */
            contents: components["schemas"]["ListingContents"];
            auto_fetch: boolean;
            /**
             * @description What is looked for in the transcripts of new videos
             * @default []
             */
            words: string[];
            /**
             * @description When who made it is mailed, unless they chose otherwise since: at once, once a day, once a week, or never
             * @default none
             */
            mail: components["schemas"]["MonitorMail"];
            /**
             * @description Whether only matches of words are mailed, not new videos without one
             * @default false
             */
            mail_only_matches: boolean;
            language: string;
            fallback: boolean;
            webhook_url: string | null;
            /**
             * @description The receivers that alone get its events, and those of its jobs; empty: all that are not named_only
             * @default []
             */
            receivers: string[];
            /** @description The key that created or resumed it, or changed its auto_fetch or words last, whose daily credit cap holds for its jobs; null if a session did */
            key_id: string | null;
            /** @description Found since the monitor was created, also while it was paused */
            new_videos: number;
            last_checked_at: string | null;
            /** @description About when its source is looked at again; null once it is cancelled */
            next_check_at: string | null;
            /** @description 0 after a check that succeeded */
            consecutive_failures: number;
            /** @description Why the last check, or the last automatic job, failed */
            last_error: string | null;
            /** Format: date-time */
            created_at: string;
            cancelled_at: string | null;
            person_id: components["schemas"]["MadeBy"];
        };
        MonitorCreated: {
            /** @constant */
            ok: true;
            /** @description true if nothing was created: a repeated Idempotency-Key, or the source already has a monitor */
            idempotent: boolean;
            monitor: components["schemas"]["Monitor"];
        };
        MonitorList: {
            /** @constant */
            ok: true;
            monitors: components["schemas"]["Monitor"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        /** @enum {string} */
        MonitorMail: "now" | "daily" | "weekly" | "none";
        MonitorMatch: {
            /**
             * Format: uuid
             * @description The same in lists, events and mails
             */
            id: string;
            /** @description One of the words of the monitor */
            query: string;
            video: components["schemas"]["MatchedVideo"];
            language: string;
            /**
             * @description By machine: nobody said these words
             * @default false
             */
            translated: boolean;
            /** @description The first 5, in their order: with so many there may be more */
            passages: components["schemas"]["MatchPassage"][];
            /** Format: date-time */
            found_at: string;
        };
        MonitorMatchList: {
            /** @constant */
            ok: true;
            matches: components["schemas"]["MonitorMatch"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        /** @enum {string} */
        MonitorPauseReason: "key_revoked" | "tier_limit" | "webhook_missing" | "feed_unavailable" | "insufficient_credits";
        MonitorResponse: {
            /** @constant */
            ok: true;
            monitor: components["schemas"]["Monitor"];
        };
        /** @enum {string} */
        MonitorStatus: "active" | "paused" | "cancelled";
        MonitorVideo: {
            video_id: string;
            title: string | null;
            published_at: string | null;
            /** Format: date-time */
            found_at: string;
            /** @description The automatic job that fetches it; null if there is none, or none yet */
            job_id: string | null;
        };
        MonitorVideoList: {
            /** @constant */
            ok: true;
            videos: components["schemas"]["MonitorVideo"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        MonitorWordsFoundEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "monitor.words_found";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: {
                monitor_id: string;
                /** @description The channel that it watches; null if it watches a playlist */
                channel: string | null;
                /** @description The playlist that it watches; null if it watches a channel */
                playlist: string | null;
                /** @description What the platform calls it; null if it has not said */
                title: string | null;
                /**
                 * Format: uuid
                 * @description As GET /v1/monitors/{id}/matches lists it
                 */
                match_id: string;
                /** @description One of the words of the monitor */
                query: string;
                video: components["schemas"]["MatchedVideo"];
                language: string;
                /**
                 * @description By machine: nobody said these words
                 * @default false
                 */
                translated: boolean;
                /** @description The first 5, in their order: with so many there may be more */
                passages: components["schemas"]["MatchPassage"][];
            };
        };
        NameAccountRequest: {
            /** @description 1 to 60 characters with a letter or a digit, without line breaks and marks of direction */
            name: string | null;
        };
        NewApiKey: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The person whose key it is
             */
            person_id?: string;
            name: string;
            /** @description Labels the key; unique within the account */
            prefix: string;
            daily_credit_cap: number | null;
            /** @description A revoking key works until revokes_at */
            status: components["schemas"]["KeyStatus"];
            /** Format: date-time */
            created_at: string;
            /** @description Up to ten minutes late; null if it was never used */
            last_used_at: string | null;
            revokes_at: string | null;
            revoked_at: string | null;
            /** @description The key that a rotation put in its place */
            replaced_by: string | null;
            /** @description svc_live_...; shown once, and again only to repeats with the same Idempotency-Key */
            secret: string;
        };
        NewVideo: {
            video_id: string;
            title: string | null;
            published_at: string | null;
        };
        OwnAccount: {
            /** Format: uuid */
            id: string;
            /** @description That of the account */
            email: string;
            role: components["schemas"]["Role"];
        };
        OwnPerson: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @description For all keys and sessions of the person; null is no cap */
            daily_credit_cap: number | null;
        };
        /** @enum {string} */
        PartState: "operational" | "degraded" | "down" | "unknown";
        PartStatus: {
            status: components["schemas"]["PartState"];
        };
        /** @description Some sentences; start and end in seconds */
        Passage: {
            start: number;
            end: number;
            text: string;
            /** @description The video from this passage on */
            url: string;
            /** @description The titles of chapters that begin with it */
            chapters?: string[];
        };
        Passages: components["schemas"]["Passage"][];
        /** @enum {string} */
        PauseReason: "insufficient_credits" | "daily_limit" | "budget_exhausted" | "platform_unavailable" | "waiting_for_broadcast" | "key_revoked" | "account_frozen";
        PaymentEventReceived: {
            /** @constant */
            ok: true;
            already_processed: boolean;
        };
        PendingListing: {
            /** @constant */
            ok: true;
            /** @constant */
            status: "pending";
            /** @description Relative URL; request it with the same key */
            poll_url: string;
        };
        PendingTranscript: {
            /** @constant */
            ok: true;
            /** @constant */
            status: "pending";
            /** Format: uuid */
            request_id: string;
            /** @description Relative URL; request it with the same key */
            poll_url: string;
        };
        PeopleList: {
            /** @constant */
            ok: true;
            people: components["schemas"]["Person"][];
            invitations: components["schemas"]["Invitation"][];
        };
        Person: {
            /** Format: uuid */
            id: string;
            email: string;
            role: components["schemas"]["Role"];
            /** @description Credits that all keys and sessions of the person may spend per UTC day; null is no cap */
            daily_credit_cap: number | null;
            /** Format: date-time */
            joined_at: string;
        };
        PersonChanged: {
            /** @constant */
            ok: true;
            person: components["schemas"]["Person"];
        };
        PersonInvited: {
            /** @constant */
            ok: true;
            invitation: components["schemas"]["Invitation"];
        };
        PersonRemoved: {
            /** @constant */
            ok: true;
            removed: {
                /** Format: uuid */
                id: string;
                email: string;
            };
        };
        PlaylistMonitorRequest: {
            /** @description A playlist id, or the URL of a public playlist */
            playlist: string;
            /** @description true: a job fetches the transcripts of new videos, at the usual price. Default: false */
            auto_fetch?: boolean;
            /** @description Up to 20 queries that are looked for in the transcripts of new videos; only with auto_fetch */
            words?: string[];
            /** @description When you, who make it, are mailed about new videos and matches: at once, once a day, once a week, or never. Default: "none" */
            mail?: components["schemas"]["MonitorMail"];
            /** @description true: no mails about new videos, only about those in which words were said. Default: false */
            mail_only_matches?: boolean;
            /**
             * @description BCP 47 tag; orig is the language that is spoken. Up to eight with commas: the first that has a track, else a machine translation. Default: "en"
             * @example es
             * @example pt-BR
             * @example orig
             * @example de,en
             */
            language?: string;
            /** @description false: only the requested language, no fallback. Default: true */
            fallback?: boolean;
            /** @description URL for the events of this monitor and its jobs, instead of the webhook of the account */
            webhook_url?: string | null;
            /** @description The ids of the receivers that alone get the events of this monitor and its jobs; none: all that are not named_only */
            receivers?: string[];
        };
        PortalLink: {
            /** @constant */
            ok: true;
            url: string;
        };
        Prices: {
            /** @constant */
            ok: true;
            /** @description ISO 4217, in lower case */
            currency: string;
            blocks: components["schemas"]["BlockPrice"][];
        };
        Purchase: {
            /** Format: uuid */
            id: string;
            /** @description Credits that were bought */
            block: number;
            /** @description What they cost, in the smallest unit of the currency */
            amount: number;
            /** @description ISO 4217, in lower case */
            currency: string;
            /** @description open: its page waits to be paid; processing: the credits are to come; waiting: a stranger has paid it for your address, and you may accept it; refunded: also in part; disputed: a bank took the money back */
            status: components["schemas"]["PurchaseStatus"];
            /** @description account: you were signed in; stranger: it was bought for your address without a credential */
            bought_by: components["schemas"]["Buyer"];
            /**
             * @description Whether a refill has bought it
             * @default false
             */
            automatic: boolean;
            /** @description Blocks are spent in the order in which they were bought */
            credits_left: number;
            /** @description Whether nothing of it is used, held or given back */
            refundable: boolean;
            refund: components["schemas"]["Refund"] | null;
            receipt_url: string | null;
            /** Format: date-time */
            created_at: string;
            paid_at: string | null;
            person_id: components["schemas"]["MadeBy"];
        };
        PurchaseAccepted: {
            /** @constant */
            ok: true;
            purchase: components["schemas"]["Purchase"];
        };
        PurchaseList: {
            /** @constant */
            ok: true;
            purchases: components["schemas"]["Purchase"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        /** @enum {string} */
        PurchaseStatus: "open" | "expired" | "processing" | "waiting" | "paid" | "refunded" | "disputed";
        PutInAccountRequest: {
            /** @description The URL that receives events: public https without credentials, port 443 or 8443 */
            url: string;
            /** @description credits.low is sent when fewer credits are available; null or omitted: never */
            low_balance_threshold?: number | null;
            /** @description true issues a new secret. Deliveries in progress keep their secret. Default: false */
            rotate_secret?: boolean;
        };
        PutRefillRequest: {
            /** @description Below how many credits a block is bought: 1 to the credits of the block */
            threshold: number;
            /**
             * @description What is bought: one of 5, 20, 50, 200, 1000
             * @enum {number}
             */
            block: 5 | 20 | 50 | 200 | 1000;
            /** @description The most money of a UTC month, in the smallest unit of the currency of GET /v1/checkout; the price of the block or more */
            monthly_limit: number;
        };
        PutWebhookRequest: {
            /** @description The URL that receives events: public https without credentials, port 443 or 8443 */
            url: string;
            /** @description credits.low is sent when fewer credits are available; null or omitted: never */
            low_balance_threshold?: number | null;
            /** @description true issues a new secret. Deliveries in progress keep their secret. Default: false */
            rotate_secret?: boolean;
        };
        Receiver: {
            /** Format: uuid */
            id: string;
            name: string;
            form: components["schemas"]["ReceiverForm"];
            /** @description The whole address of the form signed; of a chat service its host and its last four characters */
            url: string;
            events: components["schemas"]["ReceiverEventType"][];
            /**
             * @description It gets events only of the jobs and monitors that name it in receivers
             * @default false
             */
            named_only: boolean;
            enabled: boolean;
            /** @description failing: all attempts have failed for days; gone: the chat service says that the address has ended; secret_lost: a restore of our data has lost its secret */
            disabled_reason: components["schemas"]["ReceiverDisabledReason"] | null;
            disabled_at: string | null;
            /** @description Since then every attempt has failed; null after a success */
            failing_since: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The key that created it; null for a session */
            created_by_key_id: string | null;
            /** @description The key that changed it last; null for a session */
            updated_by_key_id: string | null;
        };
        ReceiverConfigured: {
            /** @constant */
            ok: true;
            receiver: components["schemas"]["Receiver"];
            /** @description whsec_...; present only if a secret was issued, at creation and at each rotation. Shown once */
            receiver_secret?: string;
        };
        ReceiverDeleted: {
            /** @constant */
            ok: true;
            /** @constant */
            deleted: true;
        };
        /** @enum {string} */
        ReceiverDisabledReason: "failing" | "gone" | "secret_lost";
        /** @enum {string} */
        ReceiverEventType: "job.completed" | "job.failed" | "job.paused" | "job.resumed" | "credits.low" | "channel.new_videos" | "monitor.words_found";
        /** @enum {string} */
        ReceiverForm: "signed" | "slack" | "discord" | "teams";
        ReceiverList: {
            /** @constant */
            ok: true;
            receivers: components["schemas"]["Receiver"][];
        };
        ReceiverReplayed: {
            /** @constant */
            ok: true;
            /** @description Deliveries that are sent again */
            replayed: number;
            /** @description false: more have failed since then, so replay again */
            is_complete: boolean;
        };
        ReceiverResponse: {
            /** @constant */
            ok: true;
            receiver: components["schemas"]["Receiver"];
        };
        Refill: {
            /** @description off: nothing is bought by itself; card_missing: set up a card; on; paused: it buys nothing until a person acts */
            status: components["schemas"]["RefillStatus"];
            /** @description Why it is paused or has ended. The card: authentication_required (the bank wants its holder), card_declined, card_expired, card_removed. price_changed: the block costs another price than you agreed to. processor_failed: the payment processor gave no clear answer for a day. restored: a database of the service was restored, compare what you see. dispute, account_frozen, account_closed, payer_removed: it has ended */
            reason: components["schemas"]["RefillReason"] | null;
            /** @description A block is bought when fewer credits can be spent */
            threshold: number | null;
            /** @description Credits that are bought each time */
            block: number | null;
            /** @description What the block costs, as agreed to, in the smallest unit of the currency */
            amount: number | null;
            /** @description The most money in a UTC month, in the smallest unit of the currency */
            monthly_limit: number | null;
            /** @description What refills have cost in this UTC month, with one under way */
            used_this_month: number;
            /** @description ISO 4217, in lower case */
            currency: string;
            person_id: components["schemas"]["MadeBy"];
        };
        RefillAnswer: {
            /** @constant */
            ok: true;
            refill: components["schemas"]["Refill"];
        };
        /** @enum {string} */
        RefillReason: "authentication_required" | "card_declined" | "card_expired" | "card_removed" | "price_changed" | "processor_failed" | "restored" | "dispute" | "account_frozen" | "account_closed" | "payer_removed";
        /** @enum {string} */
        RefillStatus: "off" | "card_missing" | "on" | "paused";
        Refund: {
            /** Format: uuid */
            id: string;
            status: components["schemas"]["RefundStatus"];
        };
        RefundRequest: {
            /**
             * Format: uuid
             * @description To refund: the id of the purchase
             */
            purchase_id: string;
            /** @description To refund: the reason, at most 500 characters */
            reason?: string;
        };
        RefundRequested: {
            /** @constant */
            ok: true;
            refund: components["schemas"]["Refund"];
        };
        /** @enum {string} */
        RefundStatus: "pending" | "succeeded" | "failed";
        RemovePersonRequest: {
            /**
             * @description What becomes of their jobs and monitors
             * @enum {string}
             */
            work?: "end" | "pass_on";
        };
        ReplayReceiverRequest: {
            /**
             * Format: date-time
             * @description From when on; deliveries are kept for 30 days
             */
            since: string;
        };
        RequestCodeRequest: {
            /**
             * @description Your email address
             * @example you@example.com
             */
            email: string;
        };
        RequestList: {
            /** @constant */
            ok: true;
            requests: components["schemas"]["RequestLogEntry"][];
            limit: number;
            offset: number;
            /** @description Number of items on all pages */
            total: number;
            has_more: boolean;
            /** @description Relative URL of the next page; null on the last one */
            next: string | null;
        };
        RequestLogEntry: {
            /**
             * Format: uuid
             * @description X-Request-Id of its answer
             */
            request_id: string;
            /**
             * Format: date-time
             * @description When it arrived
             */
            created_at: string;
            /** @description Null for a session of the dashboard */
            key_id: string | null;
            /** @description The operationId in this document; tools of assistants are sendMcpMessage */
            route: string;
            /** @description The status of the answer */
            status: number;
            /** @description The code of its error; null if it succeeded */
            code: string | null;
            /** @description X-Credits-Charged of the answer */
            credits_charged: number;
            /** @description Milliseconds until the answer */
            duration_ms: number;
            /** @description The video that it is about, if it is about one */
            video_id: string | null;
            /** @description The job that it is about; its videos are charged there */
            job_id: string | null;
            person_id: components["schemas"]["MadeBy"];
            via: components["schemas"]["Via"];
        };
        RequestLogEntryResponse: {
            /** @constant */
            ok: true;
            request: components["schemas"]["RequestLogEntry"];
        };
        RequestedConnection: {
            app: components["schemas"]["ConnectedApp"];
            /** @description What the app asks for; all if it names nothing */
            scopes: components["schemas"]["AccessScope"][];
        };
        ResolveVideosRequest: {
            /** @description Any text, at most 1 MiB */
            text: string;
        };
        ResolvedVideos: {
            /** @constant */
            ok: true;
            found: components["schemas"]["ListedVideo"][];
            notFound: components["schemas"]["UnresolvedValue"][];
            /** @description list:<key> of the found videos; null if none was found */
            list: string | null;
        };
        RevokeKeyRequest: {
            /** @description Hours until the key stops working: 0 or 24. Default: 0 */
            grace_period_hours?: 0 | 24;
        };
        /** @enum {string} */
        Role: "owner" | "member" | "billing";
        RotateKeyRequest: {
            /** @description 1 to 64 characters, without control characters; trimmed */
            name?: string;
            /** @description Credits that the key may spend per UTC day; null is no cap */
            daily_credit_cap?: number | null;
        };
        SearchPage: {
            /** @constant */
            ok: true;
            results: components["schemas"]["SearchResult"][];
            /** @description Send it unchanged with the same q, type and channel */
            continuation: string | null;
            has_more: boolean;
        };
        SearchResult: {
            type: components["schemas"]["SearchType"];
            video_id?: string;
            channel_id?: string;
            playlist_id?: string;
            title?: string;
            channel_title?: string;
            duration_seconds: number | null;
            view_count: number | null;
            published_text: string | null;
            has_captions: boolean;
            thumbnail_url: string | null;
            cached?: boolean;
        };
        /** @enum {string} */
        SearchType: "video" | "channel" | "playlist";
        SelectedTrack: {
            language_code: string;
            kind: components["schemas"]["CaptionKind"];
        };
        SendMcpMessageRequest: {
            /**
             * @description Always 2.0
             * @constant
             */
            jsonrpc: "2.0";
            /**
             * @description The method of the protocol
             * @example tools/call
             */
            method: string;
            /** @description Repeated in the answer; notifications have none */
            id?: string | number;
            /** @description The parameters of the method */
            params?: {
                [key: string]: unknown;
            };
        };
        Session: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The account in which it is
             */
            account_id?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description To the minute
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description Unless it is used before
             */
            expires_at: string;
            /** @description Whether it is the session of this request */
            current: boolean;
        };
        SessionList: {
            /** @constant */
            ok: true;
            sessions: components["schemas"]["Session"][];
        };
        SessionsEnded: {
            /** @constant */
            ok: true;
            /** @description How many sessions were ended */
            ended: number;
        };
        SignedIn: {
            /** @constant */
            ok: true;
            account: {
                /** Format: uuid */
                id: string;
            };
            session: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                expires_at: string;
            };
            key: components["schemas"]["FirstKey"] | null;
        };
        SourceJobRequest: {
            /**
             * @description A channel or playlist URL, a handle, an id, or list:<key>
             * @example https://www.youtube.com/playlist?list=PL...
             * @example list:<key>
             */
            input: string;
            /** @description The format of files and archives. Default: "both" */
            format?: components["schemas"]["TranscriptFormat"];
            /**
             * @description BCP 47 tag; orig is the language that is spoken. Up to eight with commas: the first that has a track, else a machine translation. Default: "en"
             * @example es
             * @example pt-BR
             * @example orig
             * @example de,en
             */
            language?: string;
            /** @description false: only the requested language, no fallback. Default: true */
            fallback?: boolean;
            /** @description For a channel: all, videos, shorts or streams; by default the tab that input names, else all */
            contents?: components["schemas"]["ListingContents"];
            /** @description Only the first videos of the source, up to this number; for a channel, the newest */
            newest?: number;
            /** @description Your name for the job, returned in every answer and event */
            name?: string | null;
            /** @description Up to 16 named strings, returned in every answer and event */
            metadata?: {
                [key: string]: string;
            };
            /** @description URL for the events of this job, instead of the webhook of the account */
            webhook_url?: string | null;
            /** @description The ids of the receivers that alone get the events of this job; none: all that are not named_only */
            receivers?: string[];
            /** @description An older name of mail now; mail decides if both are sent. Default: false */
            notify_email?: boolean;
            /** @description When you are mailed that the job completed or failed: at once, in the daily mail, or never; again after a retry. Default: "none" */
            mail?: components["schemas"]["MailChoice"];
        };
        Status: {
            /** @constant */
            ok: true;
            /**
             * @description operational: everything works; degraded: new fetches are impaired or paused, cached transcripts are served; down: nothing behind the API answers
             * @enum {string}
             */
            status: "operational" | "degraded" | "down";
            /** @description Whether transcripts that are not cached can be fetched */
            new_fetches: boolean;
            /** @description The fetchers and their routes to the platform */
            relay: components["schemas"]["PartStatus"];
            /** @description The ways to ask the platform; one is enough */
            strategies: components["schemas"]["StrategyStatus"][];
            /** @description Translations by the platform, as last checked */
            translation: components["schemas"]["PartStatus"];
            /** @description The daily capacity that all share; degraded: the part of free keys is used up */
            capacity: components["schemas"]["PartStatus"];
            /** @description A regular check that fetches known videos through every strategy */
            canary: components["schemas"]["CanaryStatus"];
            /** @description The service that knows keys */
            accounts: components["schemas"]["PartStatus"];
            /** @description The service that keeps credits */
            credits: components["schemas"]["PartStatus"];
            /** @description Upper bounds for successful requests with a key in the last 24 hours; null below 20 requests. 60000 means a minute or more */
            latency: {
                /** @description Successful answers with X-Cache: HIT */
                transcript_cache_hits: components["schemas"]["LatencyBounds"];
                /** @description Successful deliveries and 202s with X-Cache: MISS, from the request to its answer */
                transcript_cold: components["schemas"]["LatencyBounds"];
            };
            /**
             * Format: date-time
             * @description When this was checked; latencies are some seconds older
             */
            checked_at: string;
        };
        StrategyStatus: {
            name: string;
            status: components["schemas"]["PartState"];
        };
        SwitchAccountRequest: {
            /**
             * Format: uuid
             * @description The id of the account
             */
            account_id: string;
        };
        TextTranscript: {
            /** @constant */
            ok: true;
            video: components["schemas"]["Video"];
            language: components["schemas"]["TranscriptLanguage"];
            /** Format: date-time */
            fetched_at: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            format: "clean" | "timestamped" | "both" | "srt" | "vtt" | "md";
            text: string;
        };
        /** @enum {string} */
        Tier: "free" | "paid";
        Transcript: components["schemas"]["JsonTranscript"] | components["schemas"]["TextTranscript"];
        /** @enum {string} */
        TranscriptFormat: "json" | "clean" | "timestamped" | "both" | "srt" | "vtt" | "md";
        TranscriptLanguage: {
            /** @description As asked for: a language, orig, or several with commas */
            requested: string;
            delivered: string;
            kind: components["schemas"]["CaptionKind"];
            fallback: boolean;
            translation: components["schemas"]["TranslationOutcome"];
        };
        /** @enum {string} */
        TranslationOutcome: "not_requested" | "served" | "refused" | "unavailable";
        TriedMatch: {
            /** @description One of the words of the monitor */
            query: string;
            video: components["schemas"]["MatchedVideo"];
            language: string;
            /**
             * @description By machine: nobody said these words
             * @default false
             */
            translated: boolean;
            /** @description The first 5, in their order: with so many there may be more */
            passages: components["schemas"]["MatchPassage"][];
        };
        TriedWords: {
            /** @constant */
            ok: true;
            /** @description How many were read */
            transcripts: number;
            matches: components["schemas"]["TriedMatch"][];
            /** @description What to do if there was no transcript to read */
            hint: string | null;
        };
        TryWordsRequest: {
            /** @description Up to 20 queries: words, "phrases" and -exclusions */
            words: string[];
            /** @description Only transcripts of this channel: a UC channel id, a channel URL or a handle */
            channel?: string;
            /** @description Only transcripts of its jobs */
            monitor_id?: string;
        };
        UnresolvedValue: {
            /** @description As written in the text */
            value: string;
            video_id: string | null;
            /**
             * @description try_again: the platform did not answer; repeat the request later. not_a_video: a link of the platform to something else
             * @enum {string}
             */
            reason: "unavailable" | "try_again" | "malformed" | "not_a_video";
        };
        UpdateKeyRequest: {
            /** @description 1 to 64 characters, without control characters; trimmed */
            name?: string;
            /** @description Credits that the key may spend per UTC day; null is no cap */
            daily_credit_cap?: number | null;
        };
        UsageDay: {
            /** Format: date */
            date: string;
            /** @description Null for work without a key */
            key_id: string | null;
            requests: number;
            cache_hits: number;
            /** @description Transcripts, single and in jobs */
            cold_deliveries: number;
            /** @description The part of cold_deliveries that are videos of jobs */
            job_rows: number;
            search_pages: number;
            failures: number;
            credits_charged: number;
            person_id: components["schemas"]["MadeBy"];
            via: components["schemas"]["Via"];
        };
        UsageRollups: {
            /** @constant */
            ok: true;
            scope: {
                /** Format: uuid */
                account_id: string;
                key_id: string | null;
            };
            /** @description UTC days, both included */
            range: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
            };
            rows: components["schemas"]["UsageDay"][];
        };
        /** @description All keys on this UTC day. Credits are exact; requests answered by other gateways appear within seconds */
        UsageToday: {
            /** Format: date */
            date: string;
            requests: number;
            cache_hits: number;
            cold_deliveries: number;
            job_rows: number;
            search_pages: number;
            failures: number;
            credits_charged: number;
        };
        VerifyCodeRequest: {
            /**
             * @description Your email address
             * @example you@example.com
             */
            email: string;
            /**
             * @description The six digits from the email
             * @example 123456
             */
            code: string;
            /**
             * @description Must be true
             * @constant
             */
            accept_terms: true;
            /** @description An IANA time zone, such as Europe/Berlin */
            time_zone?: string;
        };
        /**
         * @description By which kind of key; dashboard: by hand; null if unknown
         * @default null
         */
        Via: ("key" | "dashboard" | "app") | null;
        Video: {
            id: string;
            title: string | null;
            channel_id: string | null;
            channel_title: string | null;
            published_at: string | null;
            duration: number | null;
            description: string | null;
            tags: string[] | null;
            view_count: number | null;
            thumbnail_url: string | null;
            /** @description As the description lists them; null without such a list */
            chapters: components["schemas"]["Chapter"][] | null;
        };
        VideoFacts: {
            /** @constant */
            ok: true;
            video: components["schemas"]["KnownVideo"];
            cached_languages: components["schemas"]["CachedLanguage"][];
            caption_tracks: components["schemas"]["CaptionTrack"][];
            /**
             * @description The language that is spoken; null if it is not known
             * @default null
             */
            original_language: string | null;
            selected: components["schemas"]["SelectedTrack"] | null;
        };
        VideoLanguages: {
            /** @constant */
            ok: true;
            video_id: string;
            /**
             * @description The language that is spoken; null if it is not known
             * @default null
             */
            original_language: string | null;
            tracks: components["schemas"]["CaptionTrack"][];
            /** @description Whether the platform offers translations of a track */
            translatable: boolean;
            /**
             * Format: date-time
             * @description When the platform said so
             */
            checked_at: string;
        };
        VideoListing: {
            /** @constant */
            ok: true;
            source: components["schemas"]["ListingSource"];
            contents: components["schemas"]["ListingContents"];
            offset: number;
            videos: components["schemas"]["ListedVideo"][];
            counts: components["schemas"]["ListingCounts"];
            total: number | null;
            next_offset: number | null;
            /**
             * @description Entries not read, a missing last page, or videos beyond 20,000: videos may be missing
             * @default 0
             */
            omitted: number;
            /** Format: date-time */
            listed_at: string;
        };
        /** @enum {string} */
        VideoStatus: "unknown" | "fetched" | "no_captions" | "unavailable" | "error";
        VideosJobRequest: {
            /** @description Ids of 11 characters; duplicates count once */
            video_ids: string[];
            /** @description The format of files and archives. Default: "both" */
            format?: components["schemas"]["TranscriptFormat"];
            /**
             * @description BCP 47 tag; orig is the language that is spoken. Up to eight with commas: the first that has a track, else a machine translation. Default: "en"
             * @example es
             * @example pt-BR
             * @example orig
             * @example de,en
             */
            language?: string;
            /** @description false: only the requested language, no fallback. Default: true */
            fallback?: boolean;
            /** @description Your name for the job, returned in every answer and event */
            name?: string | null;
            /** @description Up to 16 named strings, returned in every answer and event */
            metadata?: {
                [key: string]: string;
            };
            /** @description URL for the events of this job, instead of the webhook of the account */
            webhook_url?: string | null;
            /** @description The ids of the receivers that alone get the events of this job; none: all that are not named_only */
            receivers?: string[];
            /** @description An older name of mail now; mail decides if both are sent. Default: false */
            notify_email?: boolean;
            /** @description When you are mailed that the job completed or failed: at once, in the daily mail, or never; again after a retry. Default: "none" */
            mail?: components["schemas"]["MailChoice"];
        };
        /** @enum {string} */
        WaitReason: "broadcast" | "retry";
        Webhook: {
            url: string;
            low_balance_threshold: number | null;
            enabled: boolean;
            /** @description failing: all attempts have failed for days; secret_lost: a restore of our data has lost its secret */
            disabled_reason: components["schemas"]["DisabledReason"] | null;
            disabled_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The key that configured it, at updated_at; null for a session */
            updated_by_key_id: string | null;
        };
        WebhookConfigured: {
            /** @constant */
            ok: true;
            webhook: components["schemas"]["Webhook"];
            /** @description whsec_...; present only if a secret was issued, at creation and at each rotation. Shown once */
            webhook_secret?: string;
        };
        WebhookDeleted: {
            /** @constant */
            ok: true;
            /** @description false if there was none */
            deleted: boolean;
        };
        /** @enum {string} */
        WebhookEventType: "job.completed" | "job.failed" | "job.paused" | "job.resumed" | "credits.low" | "channel.new_videos" | "monitor.words_found" | "webhook.test";
        WebhookResponse: {
            /** @constant */
            ok: true;
            webhook: components["schemas"]["Webhook"] | null;
        };
        WebhookTestEvent: {
            /**
             * Format: uuid
             * @description Of the event: the same if the event is sent again
             */
            id: string;
            /** @constant */
            type: "webhook.test";
            /** Format: date-time */
            created_at: string;
            /** @constant */
            api_version: "1.0.0";
            data: Record<string, never>;
        };
        Word: {
            start: number;
            text: string;
        };
    };
    responses: {
        /** @description Bad Request */
        Error400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Request */
        Error400Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Request */
        Error400Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unauthorized */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Set-Cookie": components["headers"]["Set-Cookie"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unauthorized */
        Error401Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "Set-Cookie": components["headers"]["Set-Cookie"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payment Required */
        Error402: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Forbidden */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                /** @description The accepted credentials */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Forbidden */
        Error403Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                /** @description The accepted credentials */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Forbidden */
        Error403Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                /** @description The accepted credentials */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found */
        Error404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found */
        Error404Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found */
        Error404Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Method Not Allowed */
        Error405: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                Allow: components["headers"]["Allow"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Method Not Allowed */
        Error405Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                Allow: components["headers"]["Allow"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Method Not Allowed */
        Error405Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                Allow: components["headers"]["Allow"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request Timeout */
        Error408: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request Timeout */
        Error408Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request Timeout */
        Error408Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Conflict */
        Error409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Conflict */
        Error409Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Gone */
        Error410: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Precondition Failed */
        Error412: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payload Too Large */
        Error413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payload Too Large */
        Error413Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payload Too Large */
        Error413Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unsupported Media Type */
        Error415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unsupported Media Type */
        Error415Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unsupported Media Type */
        Error415Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Range Not Satisfiable */
        Error416: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Content-Range": components["headers"]["Content-Range"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unprocessable Entity */
        Error422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too Many Requests */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                /** @description Seconds until a retry makes sense */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too Many Requests */
        Error429Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                /** @description Seconds until a retry makes sense */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too Many Requests */
        Error429Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                /** @description Seconds until a retry makes sense */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request Header Fields Too Large */
        Error431: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request Header Fields Too Large */
        Error431Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request Header Fields Too Large */
        Error431Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error */
        Error500Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error */
        Error500Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Gateway */
        Error502: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Gateway */
        Error502Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Gateway */
        Error502Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable */
        Error503Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable */
        Error503Session: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The kind of the event, as type in the body */
        "X-Service-Event": string;
        /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
        "X-Service-Delivery": string;
        /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
        "X-Service-Timestamp": string;
        /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
        "X-Service-Signature": string;
        /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
        "webhook-id": string;
        /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
        "webhook-timestamp": string;
        /** @description As Standard Webhooks has it, of the same secret */
        "webhook-signature": string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request, also in error bodies */
        "X-Request-Id": string;
        /** @description no-store, except for documents */
        "Cache-Control": string;
        /** @description Disables type sniffing */
        "X-Content-Type-Options": "nosniff";
        /** @description Credits charged for this request */
        "X-Credits-Charged": number;
        /** @description Credits available to the account: free plus purchased */
        "X-Credits-Balance": number;
        /** @description Requests per minute of the key */
        "X-RateLimit-Limit": number;
        /** @description Whether the answer came from the cache */
        "X-Cache": "HIT" | "MISS";
        /** @description Seconds until a retry makes sense */
        "Retry-After": number;
        /** @description The methods of this path */
        Allow: string;
        /** @description The name of the file */
        "Content-Disposition": string;
        /** @description The relative address of the next page of a CSV, with rel="next" */
        Link: string;
        /** @description false if a CSV lacks something; its last line says what */
        "X-Is-Complete": "true" | "false";
        /** @description The file supports range requests */
        "Accept-Ranges": "bytes";
        /** @description The range of bytes and the total */
        "Content-Range": string;
        /** @description Identifies the bytes, for If-Range and If-None-Match */
        ETag: string;
        /** @description Keeps a secret address out of searches */
        "X-Robots-Tag": "noindex";
        /** @description SHA-256 of the whole file (RFC 9530) */
        "Repr-Digest": string;
        /** @description When the archive is deleted */
        "X-Archive-Expires-At": string;
        /** @description Accept-Encoding, if the answer may be compressed */
        Vary: string;
        /** @description The language of the file */
        "Content-Language": string;
        /** @description language.requested of a file */
        "X-Transcript-Language-Requested": string;
        /** @description language.fallback of a file */
        "X-Transcript-Fallback": "true" | "false";
        /** @description language.translation of a file */
        "X-Transcript-Translation": "not_requested" | "served" | "refused" | "unavailable";
        /** @description language.kind of a file */
        "X-Transcript-Kind": "manual" | "asr";
        /** @description true if this repeats the answer of an earlier request with the same Idempotency-Key */
        "Idempotency-Replayed": "true";
        /** @description The accepted credentials */
        "WWW-Authenticate": string;
        /** @description Sets or clears the session cookie svc_dashboard; at sign-in also sets svc_device */
        "Set-Cookie": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getTranscript: {
        parameters: {
            query?: {
                /** @description The 11-character id of the video */
                video_id?: string;
                /** @description A video URL of any shape, or a bare id */
                input?: string;
                /** @description A video URL of any shape */
                url?: string;
                /** @description The polling id of an earlier 202 */
                request_id?: string;
                /** @description The format of the transcript; poll_url already names it */
                format?: components["schemas"]["TranscriptFormat"];
                /** @description BCP 47 tag; orig is the language that is spoken. Up to eight with commas: the first that has a track, else a machine translation */
                language?: string;
                /** @description false is strict mode: the requested language or an error */
                fallback?: boolean;
                /** @description With format=json: each cue has the times of its words, as the platform recognised them */
                words?: boolean;
                /** @description true asks the platform although a transcript is cached, for 1 credit if it delivers. With an Idempotency-Key, a repeat costs nothing more */
                refresh?: boolean;
                /** @description 1 returns the file itself instead of JSON */
                raw?: boolean;
                /** @description true adds passages to the format json: whole sentences, joined from the captions */
                passages?: boolean;
                /** @description The most characters of a passage, or half of it in a script without spaces; only with passages=true */
                passage_characters?: number;
                /** @description With the format md: YAML for notes before the text (title, channel, published_at, duration, language, source, tags) */
                front_matter?: boolean;
            };
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for a week, with refresh=true. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript; with raw=1 the file itself (for format json, the array of cues), and headers name its language. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Cache": components["headers"]["X-Cache"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "X-Transcript-Language-Requested": components["headers"]["X-Transcript-Language-Requested"];
                    "X-Transcript-Fallback": components["headers"]["X-Transcript-Fallback"];
                    "X-Transcript-Translation": components["headers"]["X-Transcript-Translation"];
                    "X-Transcript-Kind": components["headers"]["X-Transcript-Kind"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transcript"] | components["schemas"]["Cues"];
                    "text/plain": string;
                    "application/x-subrip": string;
                    "text/vtt": string;
                    "text/markdown": string;
                };
            };
            /** @description Still being fetched after 25 seconds; poll for it */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingTranscript"];
                };
            };
            /** @description invalid_video_id, invalid_request_id, invalid_format, invalid_language, invalid_fallback, invalid_words, invalid_refresh, invalid_raw, invalid_passages, invalid_passage_characters, invalid_front_matter, unknown_query_mode, conflicting_query_modes, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description insufficient_credits */
            402: components["responses"]["Error402"];
            /** @description account_frozen, account_closed, invalid_api_key, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description not_cached, no_captions, transcript_not_ready, language_unavailable, request_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description video_unavailable, transcript_not_ready, request_expired */
            410: components["responses"]["Error410"];
            /** @description concurrency_cap, cache_read_cap, daily_credit_cap, account_age_ramp, cold_fetch_cap, free_pool_cap, global_cold_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, po_token_required, rate_limited, translation_refused, transcript_not_ready, upstream_error, relay_attempt_cap, relay_unavailable, cache_object_missing */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getVideo: {
        parameters: {
            query?: {
                /** @description The 11-character id of the video */
                video_id?: string;
                /** @description A video URL of any shape, or a bare id */
                input?: string;
                /** @description A video URL of any shape */
                url?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Facts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoFacts"];
                };
            };
            /** @description invalid_video_id, unknown_query_mode, conflicting_query_modes, single_video_required, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    citeVideo: {
        parameters: {
            query?: {
                /** @description The 11-character id of the video */
                video_id?: string;
                /** @description A video URL of any shape, or a bare id */
                input?: string;
                /** @description A video URL of any shape */
                url?: string;
                /** @description What the reference is written in */
                format?: components["schemas"]["CitationFormat"];
                /** @description A second of the video, to which the address then leads */
                at?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reference */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/x-bibtex": string;
                    "application/x-research-info-systems": string;
                    "application/vnd.citationstyles.csl+json": string;
                };
            };
            /** @description invalid_video_id, invalid_citation_format, invalid_at, unknown_query_mode, conflicting_query_modes, single_video_required, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description video_not_known */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listLanguages: {
        parameters: {
            query?: {
                /** @description The 11-character id of the video */
                video_id?: string;
                /** @description A video URL of any shape, or a bare id */
                input?: string;
                /** @description A video URL of any shape */
                url?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracks of the video */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoLanguages"];
                };
            };
            /** @description invalid_video_id, unknown_query_mode, conflicting_query_modes, single_video_required, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description no_captions, transcript_not_ready, not_cached */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description video_unavailable, transcript_not_ready */
            410: components["responses"]["Error410"];
            /** @description video_languages_cap, free_pool_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, po_token_required, rate_limited, transcript_not_ready, upstream_error, relay_unavailable */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listLibrary: {
        parameters: {
            query?: {
                /** @description Only what this job delivered */
                job_id?: string;
                /** @description Only transcripts of this video */
                video_id?: string;
                /** @description Only transcripts in this language; without a region, in all of its regions */
                language?: string;
                /** @description csv is the page as a table, and the header Link has the address of the next one */
                format?: "json" | "csv";
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description As in next of the page before: the page begins behind its last item, whatever has come meanwhile; offset does not count then */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transcripts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Is-Complete": components["headers"]["X-Is-Complete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Library"];
                    "text/csv": string;
                };
            };
            /** @description invalid_job_id, invalid_video_id, invalid_language, invalid_list_format, invalid_limit, invalid_offset, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    searchLibrary: {
        parameters: {
            query: {
                /** @description Words, "phrases" and -exclusions; at most 32 words */
                q: string;
                /** @description Only what this job delivered */
                job_id?: string;
                /** @description Only transcripts of this video */
                video_id?: string;
                /** @description Only transcripts in this language; without a region, in all of its regions */
                language?: string;
                /** @description csv is the page as a table, and the header Link has the address of the next one */
                format?: "json" | "csv";
                /** @description Items of a page: 1 to 50 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description As in next of the page before: the page begins behind its last item, whatever has come meanwhile; offset does not count then */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of passages */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Is-Complete": components["headers"]["X-Is-Complete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundPassages"];
                    "text/csv": string;
                };
            };
            /** @description invalid_library_query, invalid_job_id, invalid_video_id, invalid_language, invalid_list_format, invalid_limit, invalid_offset, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description search_in_progress, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    tryWords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryWordsRequest"];
            };
        };
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriedWords"];
                };
            };
            /** @description invalid_words, invalid_channel, invalid_monitor_id, conflicting_query_modes, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description source_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description search_in_progress, channel_resolution_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, rate_limited, upstream_error */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listLinks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for as long as the link, and eight days. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateLinkRequest"];
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkResponse"];
                };
            };
            /** @description invalid_video_id, invalid_language, invalid_quote, invalid_link_days, unknown_query_mode, conflicting_query_modes, single_video_required, invalid_json, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description transcript_not_received */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description idempotency_key_reused */
            422: components["responses"]["Error422"];
            /** @description link_limit, link_creation_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the link */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkResponse"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description link_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    endLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the link */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, which is over */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkResponse"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description link_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    readLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the link */
                linkId: string;
                /** @description The secret of its address */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    Vary: components["headers"]["Vary"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                    "text/markdown": string;
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description link_not_found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    Vary: components["headers"]["Vary"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description cache_object_missing */
            502: components["responses"]["Error502Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description A channel or playlist URL, a handle, an id, or list:<key> */
                url?: string;
                /** @description Alias of url */
                input?: string;
                /** @description videos excludes Shorts and streams; shorts has only Shorts, streams only broadcasts of a channel. Default: the tab in url (/shorts, /videos, /streams), else all */
                contents?: components["schemas"]["ListingContents"];
                /** @description next_offset of the previous page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the listing */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VideoListing"];
                };
            };
            /** @description The listing is not complete after 25 seconds; repeat the request */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingListing"];
                };
            };
            /** @description bulk_input_required, invalid_contents, invalid_offset, unknown_query_mode, conflicting_query_modes, single_video, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description source_not_found, not_cached */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description selection_expired */
            409: components["responses"]["Error409"];
            /** @description channel_resolution_cap, enumeration_cap, data_api_unit_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, rate_limited, upstream_error */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    resolveVideos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveVideosRequest"];
            };
        };
        responses: {
            /** @description The videos that the text names */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedVideos"];
                };
            };
            /** @description invalid_text, empty_list, list_too_large, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description concurrency_cap, look_up_cap, free_pool_cap, list_cap, data_api_unit_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    searchPage: {
        parameters: {
            query: {
                /** @description What to search for */
                q: string;
                /** @description The kind of result */
                type?: components["schemas"]["SearchType"];
                /** @description Search inside this channel: a handle, a channel URL or an id */
                channel?: string;
                /** @description continuation of the previous page */
                continuation?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of results */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchPage"];
                };
            };
            /** @description invalid_search_query, invalid_search_type, invalid_channel, invalid_continuation, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description insufficient_credits */
            402: components["responses"]["Error402"];
            /** @description account_frozen, account_closed, invalid_api_key, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description not_cached, source_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description channel_resolution_cap, search_in_progress, search_attempt_cap, daily_credit_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, rate_limited, upstream_error */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, search_settlement_failed, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description Only items in this state */
                status?: components["schemas"]["JobStatus"];
                /** @description Only jobs created by this monitor */
                monitor_id?: string;
                /** @description Part of the name or the source */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs, without their videos */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_status, invalid_monitor_id, invalid_job_name, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for ever. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJobRequest"];
            };
        };
        responses: {
            /** @description The job */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description bulk_input_required, invalid_video_id, invalid_format, invalid_language, invalid_fallback, invalid_contents, invalid_newest, invalid_job_name, invalid_metadata, invalid_webhook_url, invalid_receivers, invalid_notify_email, invalid_mail, conflicting_query_modes, single_video, empty_list, job_size_cap, webhook_not_configured, webhook_url_private, webhook_dns_empty, key_revoked, invalid_json, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description insufficient_credits */
            402: components["responses"]["Error402"];
            /** @description account_frozen, account_closed, invalid_api_key, cookie_not_accepted, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description source_not_found, not_cached, receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description selection_expired */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description idempotency_key_reused */
            422: components["responses"]["Error422"];
            /** @description channel_resolution_cap, enumeration_cap, data_api_unit_cap, active_job_cap, job_creation_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, rate_limited, upstream_error, webhook_dns_failed */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description invalid_job_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_job_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description job_not_ended */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getJobMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your choice */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailOfWorkResponse"];
                };
            };
            /** @description invalid_job_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description job_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    chooseJobMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChooseJobMailRequest"];
            };
        };
        responses: {
            /** @description Your choice */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailOfWorkResponse"];
                };
            };
            /** @description invalid_mail, invalid_job_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description job_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    listJobVideos: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 500 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description Only items in this state */
                status?: components["schemas"]["JobVideoStatus"];
            };
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of videos, in the order of the source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobVideoList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_status, invalid_job_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRetried"];
                };
            };
            /** @description invalid_job_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description job_cancelled */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description active_job_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description invalid_job_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getJobArchive: {
        parameters: {
            query?: {
                /** @description One or several, separated by commas or repeated; default: the format of the job */
                format?: components["schemas"]["TranscriptFormat"][];
                /** @description Alias of format; send one of them */
                formats?: components["schemas"]["TranscriptFormat"][];
                /** @description With the format md: YAML for notes before the text (title, channel, published_at, duration, language, source, tags) */
                front_matter?: boolean;
                /** @description The number of the ZIP, if there are several; the first is 1 */
                part?: number;
                /** @description archive_id of the index: a part of another archive is refused */
                archive_id?: string;
                /** @description 1 builds the archive again */
                rebuild?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive, or the index of several ZIPs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Archive-Expires-At": components["headers"]["X-Archive-Expires-At"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveIndex"];
                    "application/zip": string;
                };
            };
            /** @description The archive is being built; repeat the request without rebuild after Retry-After seconds */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveQueued"];
                };
            };
            /** @description The requested range of the archive */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Archive-Expires-At": components["headers"]["X-Archive-Expires-At"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description If-None-Match names the current archive */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_archive_format, invalid_front_matter, invalid_archive_part, invalid_rebuild, invalid_job_id, duplicate_archive_formats, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description archive_part_not_found, job_not_found, not_cached */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description archive_source_changed, archive_job_not_ready, archive_failed */
            409: components["responses"]["Error409"];
            /** @description precondition_failed */
            412: components["responses"]["Error412"];
            /** @description range_not_satisfiable */
            416: components["responses"]["Error416"];
            /** @description cache_read_cap, archive_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description archive_object_unavailable, archive_failed */
            502: components["responses"]["Error502"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getJobDocument: {
        parameters: {
            query?: {
                /** @description md or txt */
                format?: "md" | "txt";
                /** @description The most words of a part; without it there is one text */
                max_words?: number;
                /** @description The number of the ZIP, if there are several; the first is 1 */
                part?: number;
                /** @description archive_id of the index: a part of another archive is refused */
                archive_id?: string;
                /** @description 1 builds the archive again */
                rebuild?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, or the index of several ZIPs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Archive-Expires-At": components["headers"]["X-Archive-Expires-At"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveIndex"];
                    "text/markdown": string;
                    "text/plain": string;
                    "application/zip": string;
                };
            };
            /** @description The document is being built; repeat the request without rebuild after Retry-After seconds */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveQueued"];
                };
            };
            /** @description The requested range of the document */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Cache": components["headers"]["X-Cache"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    ETag: components["headers"]["ETag"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "X-Archive-Expires-At": components["headers"]["X-Archive-Expires-At"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                    "text/plain": string;
                    "application/zip": string;
                };
            };
            /** @description If-None-Match names the current document */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_document_format, invalid_max_words, invalid_archive_part, invalid_rebuild, invalid_job_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description archive_part_not_found, job_not_found, not_cached, document_empty */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description archive_source_changed, archive_job_not_ready, archive_failed */
            409: components["responses"]["Error409"];
            /** @description precondition_failed */
            412: components["responses"]["Error412"];
            /** @description range_not_satisfiable */
            416: components["responses"]["Error416"];
            /** @description cache_read_cap, archive_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description archive_object_unavailable, archive_failed */
            502: components["responses"]["Error502"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getJobManifest: {
        parameters: {
            query?: {
                /** @description json or csv */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest; csv is an attachment */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Vary: components["headers"]["Vary"];
                    "X-Is-Complete": components["headers"]["X-Is-Complete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Manifest"];
                    "text/csv": string;
                };
            };
            /** @description invalid_manifest_format, invalid_job_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getJobFile: {
        parameters: {
            query?: {
                /** @description true adds passages to the format json: whole sentences, joined from the captions */
                passages?: boolean;
                /** @description The most characters of a passage, or half of it in a script without spaces; only with passages=true */
                passage_characters?: number;
                /** @description With the format md: YAML for notes before the text (title, channel, published_at, duration, language, source, tags) */
                front_matter?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
                /** @description The id of a video of the job */
                videoId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file (for format json, the array of cues; with passages=true, JobFilePassages); headers name its language */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Cache": components["headers"]["X-Cache"];
                    Vary: components["headers"]["Vary"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "X-Transcript-Language-Requested": components["headers"]["X-Transcript-Language-Requested"];
                    "X-Transcript-Fallback": components["headers"]["X-Transcript-Fallback"];
                    "X-Transcript-Translation": components["headers"]["X-Transcript-Translation"];
                    "X-Transcript-Kind": components["headers"]["X-Transcript-Kind"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cues"] | components["schemas"]["JobFilePassages"];
                    "text/plain": string;
                    "application/x-subrip": string;
                    "text/vtt": string;
                    "text/markdown": string;
                };
            };
            /** @description invalid_passages, invalid_passage_characters, invalid_front_matter, invalid_job_id, invalid_video_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description transcript_not_ready, job_not_found, job_video_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description transcript_not_ready */
            410: components["responses"]["Error410"];
            /** @description cache_read_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description transcript_not_ready, manifest_file_unavailable */
            502: components["responses"]["Error502"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    streamJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the job */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description No more events: the job has ended and the caller has its final state */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_job_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description stream_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listMonitors: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 1000 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of monitors */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorList"];
                };
            };
            /** @description invalid_limit, invalid_offset, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    createMonitor: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for a year. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMonitorRequest"];
            };
        };
        responses: {
            /** @description The existing monitor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorCreated"];
                };
            };
            /** @description The new monitor */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorCreated"];
                };
            };
            /** @description invalid_channel, invalid_contents, invalid_playlist, invalid_auto_fetch, invalid_words, invalid_mail, invalid_mail_only_matches, invalid_language, invalid_fallback, invalid_webhook_url, invalid_receivers, conflicting_query_modes, monitor_source_required, words_need_auto_fetch, webhook_not_configured, webhook_url_private, webhook_dns_empty, invalid_json, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description source_not_found, receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description monitor_limit, monitor_creation_cap, channel_resolution_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description ip_blocked, rate_limited, upstream_error, webhook_dns_failed */
            502: components["responses"]["Error502"];
            /** @description budget_exhausted, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorResponse"];
                };
            };
            /** @description invalid_monitor_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    cancelMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled monitor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorResponse"];
                };
            };
            /** @description invalid_monitor_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    changeMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMonitorRequest"];
            };
        };
        responses: {
            /** @description The monitor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorResponse"];
                };
            };
            /** @description invalid_words, invalid_mail, invalid_mail_only_matches, invalid_auto_fetch, invalid_receivers, invalid_monitor_id, words_need_auto_fetch, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description mail_of_another, begun_by_another_key, invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description monitor_not_found, receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listMonitorVideos: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
            };
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of videos */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorVideoList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_monitor_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listMonitorMatches: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description As in next of the page before: the page begins behind its last item, whatever has come meanwhile; offset does not count then */
                after?: string;
            };
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matches */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorMatchList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_monitor_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listMatches: {
        parameters: {
            query?: {
                /** @description Only matches of this monitor */
                monitor_id?: string;
                /** @description csv is the page as a table, and the header Link has the address of the next one */
                format?: "json" | "csv";
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description As in next of the page before: the page begins behind its last item, whatever has come meanwhile; offset does not count then */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of matches */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["Link"];
                    "X-Is-Complete": components["headers"]["X-Is-Complete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MatchList"];
                    "text/csv": string;
                };
            };
            /** @description invalid_monitor_id, invalid_list_format, invalid_limit, invalid_offset, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getMonitorMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your choice */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailOfWorkResponse"];
                };
            };
            /** @description invalid_monitor_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    chooseMonitorMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChooseMonitorMailRequest"];
            };
        };
        responses: {
            /** @description Your choice */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailOfWorkResponse"];
                };
            };
            /** @description invalid_mail, invalid_monitor_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    resumeMonitor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the monitor */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The monitor */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitorResponse"];
                };
            };
            /** @description invalid_monitor_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, cookie_not_accepted, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feeds */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    createFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateFeedRequest"];
            };
        };
        responses: {
            /** @description The feed */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedCreated"];
                };
            };
            /** @description invalid_monitor_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    endFeed: {
        parameters: {
            query?: {
                /** @description The monitor; without it all matches */
                monitor_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedEnded"];
                };
            };
            /** @description invalid_monitor_id, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description monitor_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    readFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the feed */
                feedId: string;
                /** @description The secret of its address */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    ETag: components["headers"]["ETag"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description If-None-Match names the current feed */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    ETag: components["headers"]["ETag"];
                    "X-Robots-Tag": components["headers"]["X-Robots-Tag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description feed_not_found */
            404: components["responses"]["Error404Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook; null if there is none */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    putWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookConfigured"];
                };
            };
            /** @description webhook_url_invalid, webhook_threshold_invalid, invalid_rotate_secret, webhook_url_private, webhook_dns_empty, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description webhook_dns_failed */
            502: components["responses"]["Error502"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleted"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the event */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            /** @description webhook_not_configured, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description webhook_test_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description Only items in this state */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Only events of this kind */
                event?: components["schemas"]["WebhookEventType"];
                /** @description Only events of this job */
                job_id?: string;
                /** @description Only events of this monitor */
                monitor_id?: string;
                /** @description Only deliveries to this receiver */
                receiver_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_delivery_status, invalid_webhook_event, invalid_job_id, invalid_monitor_id, invalid_receiver_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetails"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description delivery_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            /** @description webhook_not_configured, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description delivery_not_found, receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description receiver_disabled */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description webhook_test_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listReceivers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receivers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    createReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReceiverRequest"];
            };
        };
        responses: {
            /** @description The receiver */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverConfigured"];
                };
            };
            /** @description invalid_receiver_name, invalid_receiver_form, webhook_url_invalid, invalid_receiver_events, invalid_named_only, webhook_url_private, webhook_dns_empty, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description receiver_limit */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description webhook_test_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description webhook_dns_failed */
            502: components["responses"]["Error502"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the receiver */
                receiverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receiver */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverResponse"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    deleteReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the receiver */
                receiverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverDeleted"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    changeReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the receiver */
                receiverId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeReceiverRequest"];
            };
        };
        responses: {
            /** @description The receiver */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverConfigured"];
                };
            };
            /** @description invalid_receiver_name, webhook_url_invalid, invalid_receiver_events, invalid_named_only, invalid_rotate_secret, empty_receiver_update, webhook_url_private, webhook_dns_empty, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description receiver_without_secret */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description webhook_dns_failed */
            502: components["responses"]["Error502"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    testReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the receiver */
                receiverId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery of the event */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description receiver_disabled */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description webhook_test_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    replayReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the receiver */
                receiverId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayReceiverRequest"];
            };
        };
        responses: {
            /** @description How many are sent again */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiverReplayed"];
                };
            };
            /** @description invalid_replay_since, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description receiver_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description receiver_disabled */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description webhook_test_cap, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    sendMcpMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMcpMessageRequest"];
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    Vary: components["headers"]["Vary"];
                    "X-Cache": components["headers"]["X-Cache"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpAnswer"];
                };
            };
            /** @description The notification arrived */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_mcp_message, batch_tool_calls, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["McpAnswer"];
                };
            };
            /** @description authorization_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description origin_not_accepted, invalid_api_key, account_closed, cookie_not_accepted, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    requestCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: {
                /** @description Set at sign-in for one year. For that email address this browser has its own limits of codes and guesses */
                svc_device?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestCodeRequest"];
            };
        };
        responses: {
            /** @description A code is being sent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSent"];
                };
            };
            /** @description invalid_email, disposable_email, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description body_too_large */
            413: components["responses"]["Error413Public"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Public"];
            /** @description code_locked, signup_rate_limited, rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    verifyCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: {
                /** @description Set at sign-in for one year. For that email address this browser has its own limits of codes and guesses */
                svc_device?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyCodeRequest"];
            };
        };
        responses: {
            /** @description Signed in. Set-Cookie sets the session (svc_dashboard) and, for one year, the browser (svc_device) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            /** @description invalid_email, invalid_code, terms_required, invalid_time_zone, code_expired, code_used, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description account_frozen, account_closed */
            403: components["responses"]["Error403Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description body_too_large */
            413: components["responses"]["Error413Public"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Public"];
            /** @description code_locked, verify_rate_limited, signup_rate_limited, rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description Signed in. Set-Cookie sets the session (svc_dashboard) and, for one year, the browser (svc_device) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationAccepted"];
                };
            };
            /** @description invalid_code, terms_required, code_expired, code_used, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description account_closed, sign_in_required */
            403: components["responses"]["Error403Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description body_too_large */
            413: components["responses"]["Error413Public"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Public"];
            /** @description code_locked, verify_rate_limited, rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    switchAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchAccountRequest"];
            };
        };
        responses: {
            /** @description Signed in to that account. Set-Cookie sets the session (svc_dashboard) */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSwitched"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description sign_in_required, dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description account_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out; the cookie is cleared */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The other sessions are ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEnded"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEnded"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description session_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for 24 hours. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description The key; its secret is shown once */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyCreated"];
                };
            };
            /** @description invalid_key_name, invalid_daily_credit_cap, invalid_json, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description account_closed, cap_needs_session, invalid_api_key, key_is_ending, role_required, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description replay_not_possible */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description idempotency_key_reused */
            422: components["responses"]["Error422"];
            /** @description key_limit, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    createDashboardKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key of this session */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DashboardKeyResponse"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateKeyRequest"];
            };
        };
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyResponse"];
                };
            };
            /** @description invalid_key_name, invalid_daily_credit_cap, empty_key_update, key_revoked, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description cap_needs_session, begun_by_another_key, invalid_api_key, key_is_ending, role_required, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description key_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the key */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RevokeKeyRequest"];
            };
        };
        responses: {
            /** @description The key, revoked or revoking */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyResponse"];
                };
            };
            /** @description invalid_grace_period, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, key_is_ending, role_required, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description key_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for 24 hours. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the key */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateKeyRequest"];
            };
        };
        responses: {
            /** @description The new key with its secret, shown once, and the replaced key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyRotated"];
                };
            };
            /** @description invalid_key_name, invalid_daily_credit_cap, key_revoked, invalid_json, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description account_closed, cap_needs_session, invalid_api_key, key_is_ending, role_required, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description key_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description replay_not_possible */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description idempotency_key_reused */
            422: components["responses"]["Error422"];
            /** @description key_limit, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Connections */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope, role_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    endConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the connection */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection that has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionEnded"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description begun_by_another_key, invalid_api_key, key_is_ending, role_required, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description connection_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getConnectionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, which the page of the request has in its address */
                appRequestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionRequestResponse"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description connection_request_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    answerConnectionRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, which the page of the request has in its address */
                appRequestId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerConnectionRequestRequest"];
            };
        };
        responses: {
            /** @description Where the browser goes on */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionRequestAnswered"];
                };
            };
            /** @description invalid_connection_answer, invalid_scopes, invalid_daily_credit_cap, cap_required, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description account_closed, dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description account_not_found, connection_request_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description account_changed */
            409: components["responses"]["Error409Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description connection_limit, rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    putInAccount: {
        parameters: {
            query: {
                /** @description Must be webhook */
                resource: "webhook";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutInAccountRequest"];
            };
        };
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookConfigured"];
                };
            };
            /** @description unknown_query_mode, webhook_url_invalid, webhook_threshold_invalid, invalid_rotate_secret, webhook_url_private, webhook_dns_empty, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description webhook_dns_failed */
            502: components["responses"]["Error502Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    deleteFromAccount: {
        parameters: {
            query: {
                /** @description Must be webhook or account */
                resource: "webhook" | "account";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteFromAccountRequest"];
            };
        };
        responses: {
            /** @description Deleted or closed; closing also clears the session cookie */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountClosed"] | components["schemas"]["WebhookDeleted"];
                };
            };
            /** @description unknown_query_mode, confirmation_required, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description account_frozen, role_required, dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    nameAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NameAccountRequest"];
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountNameResponse"];
                };
            };
            /** @description invalid_account_name, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description role_required, dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    changeMailSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeMailSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailSettingsResponse"];
                };
            };
            /** @description invalid_time_zone, invalid_digest_hour, invalid_digest_day, invalid_event_mails, webhook_threshold_invalid, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description role_required, dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    showMailStop: {
        parameters: {
            query: {
                /** @description The token of the link in the mail */
                link: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page for people */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_mail_token, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    stopMail: {
        parameters: {
            query: {
                /** @description The token of the link in the mail */
                link: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page for people */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_mail_token, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description body_too_large */
            413: components["responses"]["Error413Public"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    listPeople: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description People */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeopleList"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    invitePerson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitePersonRequest"];
            };
        };
        responses: {
            /** @description The invitation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonInvited"];
                };
            };
            /** @description invalid_email, invalid_role, invalid_daily_credit_cap, disposable_email, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description role_required, account_closed, dashboard_header_required, account_frozen */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description already_in_account, invitations_stopped */
            409: components["responses"]["Error409Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description invitation_limit, rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    removePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the person */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RemovePersonRequest"];
            };
        };
        responses: {
            /** @description Who was removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonRemoved"];
                };
            };
            /** @description invalid_work, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description role_required, account_closed, dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description person_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description last_owner */
            409: components["responses"]["Error409Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    changePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the person */
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangePersonRequest"];
            };
        };
        responses: {
            /** @description The person */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonChanged"];
                };
            };
            /** @description invalid_role, invalid_daily_credit_cap, empty_person_update, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description role_required, account_closed, dashboard_header_required */
            403: components["responses"]["Error403Session"];
            /** @description person_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description last_owner */
            409: components["responses"]["Error409Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 200 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit list */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            /** @description invalid_limit, invalid_offset, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description ledger; omit for rollups */
                resource?: "ledger";
                /** @description First UTC day of rollups; default 29 days before to */
                from?: string;
                /** @description Last UTC day of rollups; default today */
                to?: string;
                /** @description Only of this key */
                key_id?: string;
                /** @description Only of this person */
                person_id?: string;
                /** @description Only by this kind of key */
                via?: "key" | "dashboard" | "app";
                /** @description Only entries of this job; ledger only */
                job_id?: string;
                /** @description csv is for rollups only */
                format?: "json" | "csv";
                /** @description Entries of a page, 1 to 200; ledger only */
                limit?: number;
                /** @description Entries to skip; ledger only */
                offset?: number;
                /** @description as_of of the first page, to read more pages of the same reading; default: now; ledger only */
                as_of?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rollups as JSON or as a CSV attachment, or a page of the ledger */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageRollups"] | components["schemas"]["LedgerPage"];
                    "text/csv": string;
                };
            };
            /** @description unknown_query_mode, invalid_usage_date, invalid_via, invalid_usage_format, invalid_ledger_limit, invalid_ledger_offset, invalid_usage_range, invalid_ledger_format, usage_range_too_large, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description key_not_found, person_not_found, job_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description Only with this key */
                key_id?: string;
                /** @description Only of this person */
                person_id?: string;
                /** @description Only by this kind of key */
                via?: "key" | "dashboard" | "app";
                /** @description Only with this error code */
                code?: string;
                /** @description true: only with an error; false: only without */
                failed?: boolean;
                /** @description First UTC day */
                from?: string;
                /** @description Last UTC day */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_via, invalid_error_code, invalid_failed, invalid_usage_date, invalid_usage_range, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description key_not_found, person_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestLogEntryResponse"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description request_not_logged */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prices */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prices"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    checkout: {
        parameters: {
            query?: {
                /** @description refund; omit to buy */
                action?: "refund";
            };
            header?: {
                /** @description Makes retries safe: a repeat with the same value gets the first answer and does nothing more, for 60 days, of a paid purchase for ever. Use a new random value, such as a UUID, for each operation. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckoutRequest"];
            };
        };
        responses: {
            /** @description A page to pay on */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checkout"];
                };
            };
            /** @description The credits are taken back and the refund is in progress */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundRequested"];
                };
            };
            /** @description unknown_query_mode, invalid_credit_block, invalid_email, invalid_purchase_id, refund_reason_too_long, disposable_email, invalid_json, invalid_idempotency_key, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description missing_api_key, invalid_api_key, account_closed, dashboard_header_required, key_is_ending, insufficient_scope, role_required, uncapped_key_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description purchase_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description purchase_in_progress, refund_block_used, payment_refund_conflict, payment_refund_debt_conflict */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description idempotency_key_reused */
            422: components["responses"]["Error422"];
            /** @description new_account_purchase_limit, rate_limit, refund_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description payment_request_failed, payment_response_invalid, payment_purchase_pending, payment_refund_invalid */
            502: components["responses"]["Error502"];
            /** @description configuration_error, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    cancelCheckout: {
        parameters: {
            query: {
                /** @description The purchase of the checkout page */
                purchase_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the checkout page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_purchase_id, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description payment_request_failed, payment_response_invalid */
            502: components["responses"]["Error502Public"];
            /** @description configuration_error, service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    receivePaymentEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The signature of the body */
                "stripe-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The event is processed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentEventReceived"];
                };
            };
            /** @description payment_event_invalid, payment_account_unknown, payment_customer_mismatch, payment_product_mismatch, payment_session_mismatch, payment_body_invalid_utf8, payment_content_length_invalid, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description payment_body_too_large */
            413: components["responses"]["Error413Public"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description payment_request_failed, payment_response_invalid */
            502: components["responses"]["Error502Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A short-lived link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortalLink"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required, uncapped_key_required */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description payment_request_failed, payment_response_invalid */
            502: components["responses"]["Error502"];
            /** @description configuration_error, service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    listPurchases: {
        parameters: {
            query?: {
                /** @description Items of a page: 1 to 100 */
                limit?: number;
                /** @description Items to skip before the page */
                offset?: number;
                /** @description false leaves out pages that expired unpaid */
                unpaid?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of purchases */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseList"];
                };
            };
            /** @description invalid_limit, invalid_offset, invalid_unpaid, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, insufficient_scope */
            403: components["responses"]["Error403"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    acceptPurchase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the purchase */
                purchaseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The purchase */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseAccepted"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400"];
            /** @description session_required, invalid_access_token */
            401: components["responses"]["Error401"];
            /** @description invalid_api_key, account_closed, dashboard_header_required, missing_api_key, key_is_ending, insufficient_scope, role_required, account_frozen */
            403: components["responses"]["Error403"];
            /** @description purchase_not_found */
            404: components["responses"]["Error404"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405"];
            /** @description request_timeout */
            408: components["responses"]["Error408"];
            /** @description purchase_withdrawn */
            409: components["responses"]["Error409"];
            /** @description body_too_large */
            413: components["responses"]["Error413"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415"];
            /** @description new_account_purchase_limit, rate_limit */
            429: components["responses"]["Error429"];
            /** @description headers_too_large */
            431: components["responses"]["Error431"];
            /** @description unexpected_error */
            500: components["responses"]["Error500"];
            /** @description service_unavailable */
            503: components["responses"]["Error503"];
        };
    };
    getRefill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refill */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefillAnswer"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    putRefill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutRefillRequest"];
            };
        };
        responses: {
            /** @description The refill */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefillAnswer"];
                };
            };
            /** @description invalid_refill_threshold, invalid_credit_block, invalid_monthly_limit, invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required, account_frozen */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    endRefill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refill */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefillAnswer"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required */
            403: components["responses"]["Error403Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    openCardPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page to set up a card on */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                    "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardPage"];
                };
            };
            /** @description invalid_json, unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Session"];
            /** @description session_required */
            401: components["responses"]["Error401Session"];
            /** @description dashboard_header_required, role_required, account_frozen */
            403: components["responses"]["Error403Session"];
            /** @description refill_not_found */
            404: components["responses"]["Error404Session"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Session"];
            /** @description request_timeout */
            408: components["responses"]["Error408Session"];
            /** @description body_too_large */
            413: components["responses"]["Error413Session"];
            /** @description unsupported_media_type */
            415: components["responses"]["Error415Session"];
            /** @description rate_limit */
            429: components["responses"]["Error429Session"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Session"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Session"];
            /** @description payment_request_failed, payment_response_invalid */
            502: components["responses"]["Error502Session"];
            /** @description configuration_error, service_unavailable */
            503: components["responses"]["Error503Session"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current status */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    listChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    changesFeed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description If-None-Match names the current feed */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description unknown_parameter, key_in_query_string, malformed_request */
            400: components["responses"]["Error400Public"];
            /** @description method_not_allowed */
            405: components["responses"]["Error405Public"];
            /** @description request_timeout */
            408: components["responses"]["Error408Public"];
            /** @description rate_limit */
            429: components["responses"]["Error429Public"];
            /** @description headers_too_large */
            431: components["responses"]["Error431Public"];
            /** @description unexpected_error */
            500: components["responses"]["Error500Public"];
            /** @description service_unavailable */
            503: components["responses"]["Error503Public"];
        };
    };
    "on:job.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobCompletedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:job.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobFailedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:job.paused": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobPausedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:job.resumed": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobResumedEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:credits.low": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditsLowEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:channel.new_videos": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelNewVideosEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:monitor.words_found": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MonitorWordsFoundEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on:webhook.test": {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of the event, as type in the body */
                "X-Service-Event": components["parameters"]["X-Service-Event"];
                /** @description The id of the delivery, the same at each attempt: ignore a delivery that you have processed */
                "X-Service-Delivery": components["parameters"]["X-Service-Delivery"];
                /** @description Unix seconds of this attempt: reject a delivery that is older than five minutes */
                "X-Service-Timestamp": components["parameters"]["X-Service-Timestamp"];
                /** @description v1= and the hexadecimal HMAC-SHA256, keyed with the secret, over the timestamp, a dot and the raw body */
                "X-Service-Signature": components["parameters"]["X-Service-Signature"];
                /** @description As X-Service-Delivery, for libraries of Standard Webhooks */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description As X-Service-Timestamp, for libraries of Standard Webhooks */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description As Standard Webhooks has it, of the same secret */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The event was accepted. The body of the answer, at most 64 KiB, is ignored */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted: four more attempts follow within fifteen hours. Redirects are not followed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
