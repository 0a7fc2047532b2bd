/** Fields of a 64-bit, little-endian ELF header, by their offset in bytes. */
const header = { programs: 32, sections: 40, programSize: 54, programCount: 56, sectionSize: 58, end: 64 };
/** Of a program header: its part of the file. */
const part = { offset: 8, bytes: 32 };

/**
 * The program without what only debuggers and linkers read: sections and symbols, which follow the parts that are
 * loaded. A seventh of Node. Exported functions keep their names, as addons and crash reports need them.
 * @throws if it is no such program
 */
export function withoutSections(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program.readUInt16BE(4) !== 0x0201)
    throw new Error('not a 64-bit, little-endian ELF file');
  const first = Number(program.readBigUInt64LE(header.programs));
  const size = program.readUInt16LE(header.programSize);
  const ends = Array.from({ length: program.readUInt16LE(header.programCount) }, (_, index) => {
    const at = first + index * size;
    return Number(program.readBigUInt64LE(at + part.offset) + program.readBigUInt64LE(at + part.bytes));
  });
  const kept = Buffer.from(program.subarray(0, Math.max(...ends)));
  kept.writeBigUInt64LE(0n, header.sections);
  kept.fill(0, header.sectionSize + 2, header.end);
  return kept;
}
