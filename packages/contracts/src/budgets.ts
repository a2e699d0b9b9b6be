/** Bytes of a kilobyte (kB) in budgets and in the tables of their sizes. */
export const kilobyte = 1000;

/** Maximum kB of scripts, after gzip, of a first visit to a page: the shell, the remote's entry and the page. */
export const scriptBudgets: Readonly<Record<string, number>> = {
  '/': 150,
  '/about': 147,
  '/ourDoctors': 150,
  '/medicinestore': 155,
  '/login': 165,
  '/register': 165,
};

/** Maximum kB for pages that aren't listed: most people open them signed in, and not as their first page. */
export const otherScriptBudget = 180;

/** Maximum kB of a page's HTML, after gzip: of one that scripts draw, and of one that arrives with its content. */
export const htmlBudget = 8;
export const contentBudget = 20;

/** Maximum kB of styles, after gzip. */
export const styleBudget = 30;

/** Maximum kB of everything that a page which arrives as HTML transfers before anybody uses it, and of its scripts. */
export const readingBudget = 55;
export const starterBudget = 5;

/** Maximum kB of scripts that an ordinary release, of the shell's screens and a remote's entry, makes returning visitors load again. */
export const releaseBudget = 25;
