/** Robots of one site that are deployed to together. */
export interface Fleet {
  id: string;
  name: string;
  siteId: string;
  createdAt: Date;
}

export interface FleetFilter {
  name?: string | undefined;
  siteId?: string | undefined;
}
