import type { FieldError } from '@clinic/contracts';
import { SelectField, TextField } from '@clinic/ui';
import { Switch } from '@clinic/ui/switch';
import { languageOf } from '@clinic/svc-messages/contract/languages';
import type { MessagePreferences } from '../calls.ts';
import { useMemo } from 'react';
import { kindLabels, languageOptions } from '../words.ts';
import { isQuiet, optionalGroups, suggestedQuiet, timeZones } from './preferences.ts';

interface KindSwitchesProps {
  readonly kinds: MessagePreferences['kinds'];
  readonly onChange: (kinds: MessagePreferences['kinds']) => void;
}

/** A switch for each kind that people can do without. */
export function KindSwitches({ kinds, onChange }: KindSwitchesProps) {
  return (
    <>
      <p className="text-sm text-muted">
        We always email you about your account and its security: confirming your address, a new password, a login on a
        new device.
      </p>
      <div className="grid gap-6 sm:grid-cols-2">
        {optionalGroups.map((group) => (
          <fieldset key={group.title}>
            <legend className="mb-1 font-semibold">{group.title}</legend>
            {group.kinds.map((kind) => (
              <Switch
                key={kind}
                label={kindLabels[kind]}
                checked={kinds[kind] ?? true}
                onChange={(wanted) => onChange({ ...kinds, [kind]: wanted })}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}

interface FieldsProps {
  readonly draft: MessagePreferences;
  /** What the service rejected. */
  readonly faults: readonly FieldError[];
  readonly onChange: (fields: Partial<MessagePreferences>) => void;
}

const faultOf = (faults: readonly FieldError[], name: string) => faults.find(({ field }) => field === name)?.message;

/** In which language messages come; nothing with a service that doesn't offer the choice yet. */
export function LanguageField({ draft: { language }, faults, onChange }: FieldsProps) {
  if (language === undefined) return null;
  return (
    <SelectField
      label="Language of your messages"
      hint="This site stays in English."
      className="max-w-xs"
      options={languageOptions}
      value={language}
      error={faultOf(faults, 'language')}
      onChange={(event) => onChange({ language: languageOf(event.target.value) })}
    />
  );
}

const quietFields = [
  ['quietFrom', 'From'],
  ['quietUntil', 'Until'],
] as const;

/** When reminders and notices wait, and by which clock. */
export function QuietHours({ draft, faults, onChange }: FieldsProps) {
  const { timeZone } = draft;
  const zones = useMemo(() => timeZones(timeZone), [timeZone]);
  const fault = (name: string) => faultOf(faults, name);
  const quiet = isQuiet(draft);
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-semibold">Quiet hours</legend>
      <p className="text-sm text-muted">
        Reminders and notices wait until the quiet hours are over. What can’t wait comes at once, such as a free time
        that is held for you.
      </p>
      <Switch
        label="No messages in quiet hours"
        checked={quiet}
        onChange={(on) => onChange(on ? suggestedQuiet : { quietFrom: '00:00', quietUntil: '00:00' })}
      />
      <div className="grid gap-5 sm:grid-cols-3">
        {quiet &&
          quietFields.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              type="time"
              required
              value={draft[name]}
              error={fault(name)}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          ))}
        <SelectField
          label="Time zone"
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          value={timeZone}
          error={fault('timeZone')}
          onChange={(event) => onChange({ timeZone: event.target.value })}
        />
      </div>
    </fieldset>
  );
}
