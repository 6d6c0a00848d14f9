export const en = {
  open: `
    a an the this these those of in on at to for from with by into onto about as than between through during
    without within under toward towards until upon per and or but nor if because so that when while where which
    who whose whom what how why whether unless although though since like i we they he she i'm i've i'll i'd
    we're we've we'll we'd you're you've you'll you'd they're they've they'll he's she's it's it'll that's
    there's who's what's here's let's is are was were am be been being has have had do does did will would can
    could should may might must gonna wanna can't couldn't won't wouldn't don't doesn't didn't isn't aren't
    wasn't weren't haven't my your his its our their every each any some no not very really just also even only
    such um uh er`,
  begin: `
    so now okay ok alright and but well because then yes yeah if when what how next anyway also actually however
    therefore finally first let's`,
};
