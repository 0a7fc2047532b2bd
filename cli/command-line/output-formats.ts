/** The values of `--output`. Separate from the writers, which help and completion need not load. */
export const formats = ['table', 'wide', 'json', 'jsonl', 'yaml', 'name', 'tsv', 'kv'] as const;
