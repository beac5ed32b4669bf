-- Mails that wait keep the words they were queued with. What is filled in per person was {{name}}.
update mail_templates set content =
  replace(replace(replace(replace(replace(replace(content,
    '{{address}}', '{address}'),
    '{{kitUrl}}', '{kitUrl}'),
    '{{scriptUrl}}', '{scriptUrl}'),
    '{{guideUrl}}', '{guideUrl}'),
    '{{unsubscribeUrl}}', '{unsubscribeUrl}'),
    '{{announcementsUrl}}', '{announcementsUrl}')
where content like '%{{%';
