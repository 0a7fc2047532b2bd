/** What `--output` takes; apart from the code that writes them, which help and completion need not load. */
export const formats = ['table', 'wide', 'json', 'jsonl', 'yaml', 'name', 'tsv'] as const;
