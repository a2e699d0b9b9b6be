import type { MessageSetting } from '../templates/message-words.ts';
import { renderMessage, type MessageOfKind } from '../templates/render-message.ts';

export const setting: MessageSetting = {
  language: 'en',
  to: { email: 'ann@mail.example', name: 'Ann Lee' },
  clinic: {
    name: 'Test Clinic',
    address: '1 Test Road, Dhaka',
    phone: '+880 1555 0100',
    email: 'hello@clinic.example',
    zone: 'Asia/Dhaka',
    url: 'https://clinic.example',
  },
  links: {
    cancel: 'https://clinic.example/c?a=1&b=2',
    move: 'https://clinic.example/m',
    unsubscribe: 'https://clinic.example/u',
    preferences: 'https://clinic.example/p',
  },
  detail: 'minimal',
};
export const render = (message: MessageOfKind, other: Partial<MessageSetting> = {}) =>
  renderMessage({ ...setting, ...other, ...message });

/** A text with ordinary spaces only. */
export const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
