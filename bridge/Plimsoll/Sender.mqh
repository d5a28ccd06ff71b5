//+------------------------------------------------------------------+
//| Plimsoll: sends rows in batches, each until it is confirmed.     |
//+------------------------------------------------------------------+
#define BATCH_ROWS 500               // The server takes 10000
#define BATCH_CHARACTERS 200000      // The server takes 16 MB, a slow line less in the time it has
#define MAX_PAUSE_SECONDS 60         // Between tries
#define MAX_RETRY_AFTER_SECONDS 3600 // As far as the server's wish is followed
#define MAX_TIMEOUTS 3               // Of one batch, before it is made smaller
#define REFUSED_BYTES 1000000        // Of the file of what was refused
#define SAY_AGAIN_MS 600000          // The same line in the log at most every ten minutes

class Sender
  {
public:
   Rows              rows;

private:
   RowFile           m_file;
   string            m_url;
   string            m_headers;
   string            m_name;               // Of its files, without their ends
   int               m_batchRows;
   int               m_timeouts;
   int               m_salt;
   int               m_pauseSeconds;       // 0 while everything goes well
   uint              m_restMs;
   uint              m_restedAt;
   string            m_said;
   uint              m_saidAt;
   bool              m_isSaved;

   bool              IsResting(void)
     {
      return(m_restMs>0 && (uint)(GetTickCount()-m_restedAt)<m_restMs);
     }

   void              Rest(const int retryAfterSeconds)
     {
      m_pauseSeconds=(m_pauseSeconds==0 ? 1 : m_pauseSeconds*2);
      if(m_pauseSeconds>MAX_PAUSE_SECONDS)
         m_pauseSeconds=MAX_PAUSE_SECONDS;
      int seconds=(retryAfterSeconds>m_pauseSeconds ? retryAfterSeconds : m_pauseSeconds);
      if(seconds>MAX_RETRY_AFTER_SECONDS)
         seconds=MAX_RETRY_AFTER_SECONDS;
      m_restMs=1000*(uint)seconds;
      m_restedAt=GetTickCount();
     }

   //--- Tells the log, but not the same again and again
   void              Say(const string text)
     {
      if(text==m_said && (uint)(GetTickCount()-m_saidAt)<SAY_AGAIN_MS)
         return;
      Print("Plimsoll: ",text);
      m_said=text;
      m_saidAt=GetTickCount();
     }

   //--- Rows of the next request: those under way, or as many as a request may have
   int               RowsToSend(void)
     {
      if(rows.Marked()>0)
         return(rows.Marked());
      int count=0,characters=0;
      while(count<rows.Count() && count<m_batchRows)
        {
         characters+=StringLen(rows.Row(count));
         if(count>0 && characters>BATCH_CHARACTERS)
            break;
         count++;
        }
      return(count);
     }

   void              KeepRefused(const string text)
     {
      int file=FileOpen(m_name+".refused",FILE_READ|FILE_WRITE|FILE_BIN|FILE_ANSI);
      if(file==INVALID_HANDLE)
         return;
      FileSeek(file,0,SEEK_END);
      if(FileSize(file)<REFUSED_BYTES)
         FileWriteString(file,text,StringLen(text));
      FileClose(file);
     }

   //--- Takes out what the server names as "[row]" or "[row].deals[deal]". How much that was
   int               PutAside(const string body,const int count)
     {
      bool   isDone[BATCH_ROWS];
      int    found=0;
      string start="\"parameter\":\"[";
      for(int i=0; i<BATCH_ROWS; i++)
         isDone[i]=false;
      for(int at=StringFind(body,start); at>=0; at=StringFind(body,start,at+1))
        {
         int row=(int)WholeNumberAt(body,at+StringLen(start));
         if(row<0 || row>=count || row>=BATCH_ROWS || isDone[row])
            continue;
         isDone[row]=true;
         int    end=StringFind(body,"}",at);
         string fault=end<0 ? StringSubstr(body,at) : StringSubstr(body,at,end-at);
         int    deal=StringFind(fault,"].deals[");
         string refused=rows.Row(row);
         if(deal<0)
            rows.RefuseSnapshot(row);
         else
            refused=rows.RefuseDeal(row,(int)WholeNumberAt(fault,deal+8));
         if(StringLen(refused)==0)
            continue;
         found++;
         KeepRefused(fault+"\n"+refused+"\n");
        }
      if(found>0)
        {
         rows.Close();
         Say("the server refused some data; see the file "+m_name+".refused");
        }
      return(found);
     }

   void              Handle(const Answer &answer,const int count)
     {
      if(answer.status==200 && StringFind(answer.body,"\"accepted\":")>=0)
        {
         rows.DropFirst(count);
         if(m_pauseSeconds>0)
            Print("Plimsoll: the server takes data again");
         m_pauseSeconds=0;
         m_restMs=0;
         m_timeouts=0;
         m_said="";
         m_batchRows=(m_batchRows+10<BATCH_ROWS ? m_batchRows+10 : BATCH_ROWS);
         return;
        }
      if(answer.status==400 && PutAside(answer.body,count)>0)
         return;
      Say(AnswerText(answer,m_url));
      Rest(answer.retryAfterSeconds);
      //--- A hash of other rows was the same: take another one
      if(answer.status==409)
         m_salt++;
      m_timeouts=(answer.error==ERROR_TIMEOUT && answer.status==NO_ANSWER ? m_timeouts+1 : 0);
      if(count>1 && (answer.status==413 || m_timeouts>=MAX_TIMEOUTS))
        {
         m_batchRows=count/2;
         m_timeouts=0;
         rows.Mark(0);
        }
     }

public:
   void              Open(const string url,const string token,const string name)
     {
      m_url=url;
      m_headers="Content-Type: application/x-ndjson\r\nauth-token: "+token+"\r\nIdempotency-Key: ";
      m_name=name;
      m_batchRows=BATCH_ROWS;
      m_timeouts=0;
      m_salt=0;
      m_pauseSeconds=0;
      m_restMs=0;
      m_restedAt=0;
      m_said="";
      m_saidAt=0;
      m_isSaved=true;
      rows.Clear();
      m_file.Open(name+".queue",rows);
     }

   //--- Brings the file of the rows up to date
   void              Save(void)
     {
      bool isSaved=m_file.Save(rows);
      if(m_isSaved && !isSaved)
         Print("Plimsoll: cannot write its files; what waits is lost if the terminal ends");
      m_isSaved=isSaved;
     }

   //--- What is wrong; empty while all is well
   string            Trouble(void) { return(m_said); }

   //--- Sends one batch, unless there is none or it is time to wait
   void              Send(void)
     {
      if(rows.Count()==0 || IsResting())
         return;
      int count=RowsToSend();
      rows.Mark(count);
      //--- After a crash the same rows must be sent together again, under the same key
      if(m_file.Exists())
         m_file.Save(rows);
      string body="";
      for(int i=0; i<count; i++)
         body+=rows.Row(i)+"\n";
      Answer answer;
      string key=HashOf(body)+"-"+IntegerToString(m_salt);
      Post(m_url+"/users/current/snapshots",m_headers+key+"\r\n",body,answer);
      Handle(answer,count);
     }
  };
//+------------------------------------------------------------------+
