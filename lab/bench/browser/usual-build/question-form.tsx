import { zodResolver } from '@hookform/resolvers/zod'
import { createClient } from '@supabase/supabase-js'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, Mail, Send } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { toast } from 'sonner'
import { z } from 'zod'

interface Question {
  address: string
  text: string
}

const question = z.object({
  address: z.email('That is no mail address.'),
  text: z.string().min(1, 'Ask something.').max(1000),
})

/** A small form as such sites make it: checked by a schema, sent by a mutation, told of in a toast. */
export function QuestionForm({ anonKey }: { anonKey: string }) {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(question) })
  const [supabase] = useState(() => createClient(location.origin, anonKey))
  const send = useMutation({
    async mutationFn(asked: Question) {
      const { error } = await supabase.from('questions').insert(asked)
      if (error) throw error
    },
    onSuccess: () => toast.success('Sent.'),
    onError: () => toast.error('That did not work.'),
  })
  const faults = [formState.errors.address, formState.errors.text].filter(Boolean)
  return (
    <form onSubmit={handleSubmit((asked: Question) => send.mutate(asked))} noValidate>
      <label>
        <Mail aria-hidden /> Your address <input type="email" {...register('address')} />
      </label>
      <label>
        Your question <input {...register('text')} />
      </label>
      {faults.length > 0 && <p role="alert">{faults[0].message}</p>}
      <p>
        <CircleAlert aria-hidden /> We answer within a day.
      </p>
      <button>
        <Send aria-hidden /> Send
      </button>
    </form>
  )
}
