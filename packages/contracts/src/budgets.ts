/** Most KB of scripts, after gzip, that a first visit to a page may load: the shell, the remote's entry and the page. */
export const scriptBudgets: Readonly<Record<string, number>> = {
  '/': 150,
  '/about': 147,
  '/ourDoctors': 150,
  '/medicinestore': 155,
  '/login': 165,
  '/register': 165,
};

/** The same for pages that aren't listed: most people open them signed in, and not first. */
export const otherScriptBudget = 180;

/** Most KB of styles, after gzip. */
export const styleBudget = 30;
