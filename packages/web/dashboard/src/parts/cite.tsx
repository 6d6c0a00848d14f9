import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CitationFormat, type Cited, citationQuery } from '../api/citations.ts';
import { saveAs } from '../api/save-as.ts';
import { clock } from '../transcript.ts';
import { Command } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { Select } from './field.tsx';
import { ReadState } from './read-state.tsx';

const formats: readonly (readonly [CitationFormat, string])[] = [
  ['apa', 'APA, for a text'],
  ['bibtex', 'BibTeX'],
  ['ris', 'RIS, for EndNote, Mendeley and Zotero'],
  ['csl-json', 'CSL-JSON'],
];
const extensions: Readonly<Record<CitationFormat, string>> = {
  ...{ apa: 'txt', bibtex: 'bib', ris: 'ris', 'csl-json': 'json' },
};

type ReferenceProps = { readonly cited: Cited; readonly onClose: () => void };

const Reference = ({ cited, onClose }: ReferenceProps) => {
  const [format, setFormat] = useState<CitationFormat>('apa');
  const reference = useQuery(citationQuery(cited, format));
  const { data: text } = reference;
  const { video, at } = cited;
  return (
    <Dialog title={at === undefined ? 'Cite the video' : `Cite the video at ${clock(at)}`} onClose={onClose}>
      <Select
        label="Format"
        options={formats}
        value={format}
        onChange={(event) => setFormat(event.currentTarget.value as CitationFormat)}
      />
      <div className="reference">
        {text === undefined ? (
          <ReadState of={reference} />
        ) : (
          <Command label="Reference" text={text.trimEnd()} />
        )}
      </div>
      <div className="row end">
        <button
          className="button"
          type="button"
          disabled={text === undefined}
          onClick={() => saveAs(`${video}.${extensions[format]}`, new Blob([text ?? '']))}
        >
          Save as a file
        </button>
        <button className="button" type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
};

/** A button that leads to references to a video, or to a second of it. */
export const Cite = ({ video, at }: Cited) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className="button small" type="button" onClick={() => setOpen(true)}>
        Cite{at !== undefined && <span className="hidden"> the video at {clock(at)}</span>}
      </button>
      {isOpen && <Reference cited={{ video, at }} onClose={() => setOpen(false)} />}
    </>
  );
};
