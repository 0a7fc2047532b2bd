/* Generated from spec/ by npm run generate; never edited. */
import type { MaybeOptionalInit } from 'openapi-fetch';
import type { components, paths as contract } from '../api.d.ts';
/** A missing Idempotency-Key is generated. */
type WithoutKey<Operation> = Operation extends {
    parameters: {
        header: {
            'Idempotency-Key': string;
        };
    };
} ? Omit<Operation, 'parameters'> & {
    parameters: Omit<Operation['parameters'], 'header'> & {
        header?: Partial<Operation['parameters']['header']>;
    };
} : Operation;
/** The contract's paths, with this client's changes. */
export type Paths = {
    [P in keyof contract]: {
        [M in keyof contract[P]]: WithoutKey<contract[P][M]>;
    };
};
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathWith<M extends Method> = {
    [P in keyof Paths]: Paths[P][M] extends {
        responses: unknown;
    } ? P : never;
}[keyof Paths];
/** Paths whose POST takes an Idempotency-Key. */
export type KeyedPath = {
    [P in keyof contract]: contract[P]['post'] extends {
        parameters: {
            header: {
                'Idempotency-Key': string;
            };
        };
    } ? P : never;
}[keyof contract];
type Content<R> = R extends {
    content: infer C;
} ? (C extends {
    'application/json': infer B;
} ? B : C[keyof C]) : never;
/** The body of a successful response. */
export type Success<O> = O extends {
    responses: infer R;
} ? {
    [S in keyof R]: S extends 200 | 201 ? Content<R[S]> : never;
}[keyof R] : never;
/** The arguments of a call besides its path; none if it needs none. */
export type Init<P extends keyof Paths, M extends Method> = MaybeOptionalInit<Paths[P], M>;
export type Arguments<I> = Partial<I> extends I ? [init?: I] : [init: I];
type Query<O> = O extends {
    parameters: {
        query?: infer Q;
    };
} ? NonNullable<Q> : never;
/** Paths of lists with a cursor. */
export type ListPath = {
    [P in PathWith<'get'>]: Success<Paths[P]['get']> extends {
        items: unknown[];
    } ? 'cursor' extends keyof Query<Paths[P]['get']> ? P : never : never;
}[PathWith<'get'>];
export type Item<P extends ListPath> = Success<Paths[P]['get']> extends {
    items: (infer I)[];
} ? I : never;
export type StreamKind = components['schemas']['StreamTicketCreate']['kind'];
export {};
