/** knex's client of Postgres: the base of custom clients, which knex documents but does not type. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';
  export default class PostgresClient extends Knex.Client {
    /** Set on the clients of knex's own transactions. */
    transacting?: boolean;
    /** Turns the driver's answer into what a builder promises. */
    processResponse(query: object, runner: unknown): unknown;
  }
}
