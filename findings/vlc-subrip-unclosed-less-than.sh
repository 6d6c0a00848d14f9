#!/bin/sh
# VLC 3.0.23 (Debian 12), SubRip: a `<` and a letter are a tag also with a space between them and without any `>`, and what
# follows is not drawn: the cue `a < b` shows `a`, as if nothing were behind it. ffmpeg 5.1 and GStreamer 1.22 show all of it.
# Guess before the run: only `<b`, and only with a `>` behind it.
# Needs Debian's apt-get and dpkg, python3, and 200 MB. Succeeds while it is so; fails if VLC draws the words.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir -p lists/partial cache/archives/partial root
# The archive of packages that this Debian is set up with; a comment may name another.
archive=$(grep -rhE '^(deb|URIs:) ' /etc/apt/sources.list /etc/apt/sources.list.d 2> /dev/null | grep -oE 'https?://[^ ]+/debian\b' | head -1)
echo "deb ${archive:?} bookworm main" > sources.list
apt() {
  apt-get -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" -o Dir::Etc::SourceList="$dir/sources.list" \
    -o Dir::Etc::SourceParts=- -o Dir::State::Status=/dev/null -o APT::Sandbox::User=root -o Debug::NoLocking=true "$@"
}
apt update > log 2>&1
packages=$(LC_ALL=C apt -s install --no-install-recommends ffmpeg vlc-bin vlc-plugin-base fonts-dejavu-core |
  sed -n 's/^Inst \([^ ]*\).*/\1/p' | grep -Ev '^(libc6|libc-bin|init|systemd|adduser|passwd)')
apt download $packages > log 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$(dirname "$(find "$dir/root/usr/lib" -name 'libavcodec.so.*' | head -1)")
cat > fonts.conf <<END
<?xml version="1.0"?>
<fontconfig><dir>$dir/root/usr/share/fonts</dir><cachedir>$dir/fonts</cachedir></fontconfig>
END
# VLC does not start as root.
sed 's/geteuid/getppid/' root/usr/bin/vlc > root/usr/bin/vlc-here && chmod +x root/usr/bin/vlc-here
run() {
  env HOME="$dir" FONTCONFIG_FILE="$dir/fonts.conf" VLC_PLUGIN_PATH="$libraries/vlc/plugins" \
    LD_LIBRARY_PATH="$libraries:$libraries/blas:$libraries/lapack:$libraries/pulseaudio:$libraries/vlc" "$dir/root/usr/bin/$@"
}
run ffmpeg -v error -f lavfi -i color=black:s=320x120:r=4:d=8 -c:v mjpeg black.avi
run vlc-here --version 2>&1 | head -1
# The light of the picture that stands longest while the cue does.
draw() {
  printf '1\n00:00:00,000 --> 00:00:08,000\n%s\n' "$1" > cue.srt
  run vlc-here -I dummy --ignore-config --no-audio --sub-file="$dir/cue.srt" \
    --sout '#transcode{vcodec=mp2v,vb=20000,soverlay}:std{access=file,mux=ts,dst=drawn.ts}' black.avi vlc://quit > log 2>&1
  run ffmpeg -v fatal -y -i drawn.ts -vf 'fps=4,format=gray,lutyuv=y=if(gt(val\,128)\,255\,0),signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-' \
    -f null - | sed -n 's/.*YAVG=//p' | sort | uniq -c | sort -rn | head -1 | sed 's/.* //'
}
alone=$(draw 'a')
unclosed=$(draw 'a < b')
number=$(draw 'a < 5')
echo "light of a: $alone; of a < b: $unclosed; of a < 5: $number"
awk "BEGIN { exit !($alone > 0 && $unclosed < 1.3 * $alone && $number > 1.5 * $alone) }"
