import { createElement, useState } from 'react';

function Page() {
  const [opinion, setOpinion] = useState();
  return createElement(
    'div',
    { className: 'mx-auto grid max-w-page gap-4 px-4 py-8' },
    createElement('h1', { className: 'text-title font-bold' }, 'Plain remote'),
    createElement(
      'button',
      {
        type: 'button',
        onClick: async () => setOpinion((await import('./opinion.js')).opinion),
      },
      'Ask for an opinion',
    ),
    opinion && createElement('output', {}, opinion),
  );
}

// The shell refuses modules of another contract version.
export default { contractVersion: 1, createPage: () => Page };
