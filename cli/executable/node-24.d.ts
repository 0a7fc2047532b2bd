/** What Node 24 has, on which the executables run, and the types of Node 20 lack. */
interface LoadedSource {
  format: 'commonjs' | 'module';
  source: string;
  shortCircuit: true;
}

declare module 'node:module' {
  interface ModuleHooks {
    resolve<T>(
      specifier: string,
      context: { parentURL?: string },
      next: (specifier: string, context: unknown) => T,
    ): T | { url: string; shortCircuit: true };
    load<T>(url: string, context: unknown, next: (url: string, context: unknown) => T): T | LoadedSource;
  }
  export function registerHooks(hooks: ModuleHooks): void;
}

declare module 'node:sea' {
  export function getAssetKeys(): string[];
}
