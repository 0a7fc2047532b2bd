/** What a scenario saw: the same of every client, whoever's generator made it. */
export interface Seen {
  org: string | undefined;
  site: string;
  fleet: string;
  /** How its value begins. */
  key: string;
  /** Names, by pages of two. */
  robots: string[][];
  missing: Refusal;
  refused: Refusal;
  /** Whether a second call with one Idempotency-Key gave the deployment of the first. */
  deploymentAgain: boolean;
  target: string;
}

/** Read from the typed error of the client. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}
