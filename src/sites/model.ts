/** A place where robots work. */
export interface Site {
  id: string;
  name: string;
  createdAt: Date;
}

export interface SiteFilter {
  name?: string | undefined;
}
