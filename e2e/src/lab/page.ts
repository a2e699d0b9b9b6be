import { parts, type Part } from './experiments.ts';

/** A part's state after its last experiment. */
export type States = ReadonlyMap<Part, { readonly title: string; readonly watch: string }>;

const pagesOf: Readonly<Record<Part, string>> = {
  'mf-public': '/about',
  'mf-clinic': '/dash/patient',
  'mf-pharmacy': '/medicinestore',
  'mf-admin': '/dash/overview',
  'svc-identity': '/login',
  'svc-clinic': '/ourDoctors',
  'svc-pharmacy': '/medicinestore',
};

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function card(part: Part, states: States, clinic: string): string {
  const state = states.get(part);
  const buttons = parts[part].map(
    ({ id, title, watch }) =>
      `<button class="btn btn-sm ${['mend', 'start'].includes(id) ? 'btn-primary' : 'btn-soft btn-primary'}" formaction="/do/${part}/${id}" title="${escape(watch)}">${title}</button>`,
  );
  return `<section class="ui-card lab-part grid gap-3" aria-labelledby="${part}">
  <h2 id="${part}" class="text-heading font-semibold">${part}</h2>
  <p>${state ? `<strong>${escape(state.title)}.</strong> ${escape(state.watch)}` : 'As deployed.'}</p>
  <form method="post" class="flex flex-wrap gap-3">${buttons.join('')}</form>
  <p><a class="underline underline-offset-4" target="_blank" rel="noopener" href="${clinic}${pagesOf[part]}">Open a page of it</a></p>
</section>`;
}

/**
 * The lab's page.
 *
 * @param clinic - address of the clinic that is experimented with
 * @param problem - why the last experiment failed
 */
export function labPage(clinic: string, states: States, problem: string | undefined): string {
  const cards = (Object.keys(parts) as Part[]).map((part) => card(part, states, clinic));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Failure lab</title>
<link rel="stylesheet" href="/style.css">
<style>main{max-width:72rem}.lab-part{align-content:start}.lab-parts{grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}</style>
</head>
<body>
<main class="mx-auto px-4 py-8">
<header class="ui-page-header">
  <div>
    <h1 class="ui-page-title">Failure lab</h1>
    <p class="ui-page-description">Break a part of the clinic on purpose, and watch what its visitors see.</p>
  </div>
  <div class="ui-page-actions"><a class="btn btn-primary" target="_blank" rel="noopener" href="${clinic}">Open the clinic</a></div>
</header>
${problem === undefined ? '' : `<p role="alert" class="ui-card mt-6"><strong>Not done.</strong> ${escape(problem)}</p>`}
<div class="grid gap-6 mt-6 lab-parts">
${cards.join('\n')}
</div>
</main>
</body>
</html>
`;
}
