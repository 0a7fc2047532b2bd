/** knex's Postgres client: the base class of custom clients, which knex documents but does not type. */
declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex';
  export default class PostgresClient extends Knex.Client {
    /** Set on the clients of knex's own transactions. */
    transacting?: boolean;
    /** Converts the driver's result into the value of a query builder. */
    processResponse(query: object, runner: unknown): unknown;
  }
}
