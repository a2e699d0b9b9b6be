/** What a shell needs to know about remotes that change while served. */
export interface Development {
  /** Absolute path of the shell's development build. */
  readonly output: string;
  /** Addresses of the served remotes by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

// The command sets both before it loads a configuration.
const { WEBPACK_SERVE, WEBPACK_DEVELOP } = process.env;

/** The port of `clinic-webpack serve`; `undefined` in builds. */
export const servedAt: string | undefined = WEBPACK_SERVE;

/** Given to `clinic-webpack develop`; `undefined` in all other builds. */
export const development = WEBPACK_DEVELOP === undefined ? undefined : (JSON.parse(WEBPACK_DEVELOP) as Development);

/** Name of a build's file. Served files keep their names while they change, so that updates and reloads find them. */
export const fileName = (name: string): string => (servedAt === undefined ? `${name}.[contenthash]` : name);
