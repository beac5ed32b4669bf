import { Button, Group, PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { errorMessage, fieldError } from '#owner/desk/views/api/errors.ts'
import { type RouterInputs, type RouterOutputs, useTRPC } from '#owner/desk/views/api/trpc.ts'
import { useFollowUp } from '#owner/desk/views/parts/actions/follow-up.ts'
import { Fault } from '#owner/desk/views/parts/fault.tsx'
import { Section } from '#owner/desk/views/parts/outline/section.tsx'
import { useSiteName } from '#owner/desk/views/parts/site-name.ts'
import { Soft } from '#owner/desk/views/parts/text.tsx'
import { mailServices } from './mail-services.ts'

export type MailService = RouterOutputs['mailService']['show']
type Typed = RouterInputs['mailService']['save']
type TextName = Exclude<keyof Typed, 'service'>

/** A fault about these fields stands at them. */
const fieldNames: readonly TextName[] = ['host', 'port', 'apiKey', 'from', 'support']

interface FormProps {
  service: MailService
}

export function MailServiceForm({ service: stored }: FormProps) {
  const trpc = useTRPC()
  const followUp = useFollowUp()
  const refresh = [trpc.mailService.show.queryFilter(), trpc.today.state.queryFilter()]
  const save = useMutation(trpc.mailService.save.mutationOptions(followUp({ refresh })))
  const test = useMutation(trpc.mailService.test.mutationOptions(followUp({ refresh })))
  const form = useForm<Typed>({
    initialValues: typedFrom(stored),
    onValuesChange: () => {
      save.reset()
      test.reset()
    },
  })
  const error = save.error ?? test.error
  const isAtField = fieldNames.some((name) => fieldError(error, `mail.${name}`) !== undefined)
  const fields: FieldsProps = { stored, form, error }
  const { fixed } = stored
  const isAllFixed = fixed.service !== null && fixed.from !== null && fixed.support !== null
  return (
    <form onSubmit={form.onSubmit((typed) => save.mutate(typed))} noValidate>
      <ServiceChoice {...fields} />
      <ServerFields {...fields} />
      <SenderFields {...fields} />
      <Section heading="Try it">
        <Stack>
          <Group>
            {!isAllFixed && (
              <Button variant="filled" type="submit" loading={save.isPending}>
                Save
              </Button>
            )}
            <Button loading={test.isPending} onClick={() => test.mutate(form.values)}>
              Send me a test mail
            </Button>
          </Group>
          <p role="status">{save.isSuccess && 'Saved'}</p>
          {!isAtField && <Fault>{errorMessage(error)}</Fault>}
          <Soft>
            The test goes to {stored.goesTo} and uses the settings above. Save keeps them: the next
            mail goes out with them, without a restart.
          </Soft>
        </Stack>
      </Section>
    </form>
  )
}

function typedFrom({ service, host, port, user, from, support }: MailService): Typed {
  const secrets = { password: '', apiKey: '' }
  return { service: service ?? 'smtp', host, port: port || '587', user, from, support, ...secrets }
}

interface FieldsProps {
  stored: MailService
  form: ReturnType<typeof useForm<Typed>>
  error: unknown
}

function ServiceChoice({ stored: { fixed }, form }: FieldsProps) {
  return (
    <Section heading="Service">
      {fixed.service === null && <Soft mb="sm">{mailServices.choice.join(' ')}</Soft>}
      <Radio.Group {...form.getInputProps('service')} name="mail.service" aria-label="Service">
        <Stack>
          {Object.entries(mailServices.services).map(([value, words]) => (
            <Radio key={value} value={value} {...words} disabled={fixed.service !== null} />
          ))}
        </Stack>
      </Radio.Group>
      {fixed.service === null ? (
        <Soft mt="sm" fz="sm">
          Prices and places as of {mailServices.asOf}. The services’ own pages count.
        </Soft>
      ) : (
        <FixedNote variable={fixed.service} />
      )}
    </Section>
  )
}

function ServerFields(props: FieldsProps) {
  const { stored } = props
  const typed = props.form.values
  const isFixed = stored.fixed.service !== null
  if (typed.service !== 'smtp') {
    return (
      <Section heading="Key">
        <SecretField
          {...props}
          name="apiKey"
          label="API key"
          isKept={stored.hasApiKey && stored.service === typed.service}
          isFixed={isFixed}
        />
      </Section>
    )
  }
  return (
    <Section heading="Server">
      <Stack>
        <Group grow align="start">
          <TextField {...props} name="host" label="Host" isFixed={isFixed} />
          <TextField {...props} name="port" label="Port" inputMode="numeric" isFixed={isFixed} />
        </Group>
        <Group grow align="start">
          <TextField {...props} name="user" label="User" isFixed={isFixed} />
          <SecretField
            {...props}
            name="password"
            label="Password"
            isKept={stored.hasPassword && stored.host === typed.host && stored.port === typed.port}
            isFixed={isFixed}
          />
        </Group>
      </Stack>
    </Section>
  )
}

function SenderFields(props: FieldsProps) {
  const { fixed } = props.stored
  const name = useSiteName()
  return (
    <Section heading="Sender">
      <Stack>
        <TextField
          {...props}
          name="from"
          label="From"
          placeholder="bot@example.com"
          description={
            props.form.values.from.includes('<')
              ? 'This name is used instead of the one under Page.'
              : `Emails come from “${name}”, the name under Page, and this address.`
          }
          isFixed={fixed.from !== null}
        />
        {fixed.from !== null && <FixedNote variable={fixed.from} />}
        <TextField
          {...props}
          name="support"
          label="Support address"
          description="Where replies and “contact support” go. Empty: to the sender."
          inputMode="email"
          isFixed={fixed.support !== null}
        />
        {fixed.support !== null && <FixedNote variable={fixed.support} />}
      </Stack>
    </Section>
  )
}

interface TextFieldProps extends FieldsProps {
  name: TextName
  label: string
  isFixed: boolean
  placeholder?: string
  description?: string
  inputMode?: 'numeric' | 'email'
}

function TextField({ name, form, error, isFixed, stored: _stored, ...look }: TextFieldProps) {
  return (
    <TextInput
      {...look}
      {...form.getInputProps(name)}
      name={`mail.${name}`}
      error={fieldError(error, `mail.${name}`)}
      readOnly={isFixed}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

interface SecretFieldProps extends FieldsProps {
  name: 'password' | 'apiKey'
  label: string
  /** One is stored. It is never sent back. */
  isKept: boolean
  isFixed: boolean
}

function SecretField({ name, label, form, error, isKept, isFixed }: SecretFieldProps) {
  return (
    <PasswordInput
      {...form.getInputProps(name)}
      label={label}
      name={`mail.${name}`}
      error={fieldError(error, `mail.${name}`)}
      description={
        isKept
          ? 'One is kept. Leave this empty to keep it.'
          : 'Never shown again, and in no log or export.'
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      readOnly={isFixed}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ c: 'var(--ink)' }}
    />
  )
}

function FixedNote({ variable }: { variable: string }) {
  return (
    <Soft mt="sm">
      Set by the environment: <code>{variable}</code>
    </Soft>
  )
}
