/** The first script of an executable: the client or the agent, with its files and Node in one file. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { embeddedFolder, useEmbeddedFiles } from './embedded-files.ts';
import { programOf } from './program.ts';

const { argv, file } = programOf(process.argv, process.execPath);
process.argv = argv;
useEmbeddedFiles();
if (file === undefined) createRequire(`${embeddedFolder}start.js`)('./main.js');
else void import(pathToFileURL(file).href);
