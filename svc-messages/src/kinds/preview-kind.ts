import type { CallResponse } from '@clinic/contracts';
import { canOptOut, type MessageKind } from '../contract/kinds.ts';
import type { MessageLanguage } from '../contract/languages.ts';
import { messagePages } from '../contract/pages.ts';
import { clinicIdentity } from '../delivery/write-message.ts';
import type { MessagesContext } from '../settings.ts';
import { renderMessage } from '../templates/render-message.ts';
import { sampleOf } from '../templates/sample-messages.ts';

/** A message of a kind with made-up data, and links that do nothing. */
export function previewKind(
  { settings }: Pick<MessagesContext, 'settings'>,
  kind: MessageKind,
  language: MessageLanguage,
): CallResponse<'previewMessageKind'> {
  const clinic = clinicIdentity(settings);
  const {
    ics,
    language: _language,
    ...written
  } = renderMessage({
    ...sampleOf(kind),
    language,
    to: { email: 'amina@mail.example', name: 'Amina Khatun' },
    clinic,
    detail: settings.MESSAGE_DETAIL,
    links: {
      preferences: clinic.url + messagePages.notifications,
      cancel: clinic.url + messagePages.action('example', language),
      ...(kind === 'appointment-reminder' && { arrive: clinic.url + messagePages.action('example', language) }),
      move: clinic.url + messagePages.action('example', language),
      ...(canOptOut(kind) && { unsubscribe: clinic.url + messagePages.unsubscribe('example', language) }),
    },
  });
  return { ...written, ...(ics && { ics: ics.content }) };
}
