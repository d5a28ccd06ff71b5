//+------------------------------------------------------------------+
//| Plimsoll: JSON, HTTP and a bounded queue, for both terminals.    |
//+------------------------------------------------------------------+
#define PLIMSOLL_MAX_LINES 20000   // Snapshots that wait for the server; some hours at one a second
#define PLIMSOLL_MAX_BATCH 500     // Lines of one request
#define PLIMSOLL_TIMEOUT_MS 4000   // A request blocks the Expert Advisor this long at most
#define PLIMSOLL_MAX_PAUSE 60      // Seconds between tries while the server does not take data
#define PLIMSOLL_SAVE_EVERY 10     // Seconds between savings of a queue that does not empty

//--- A text between quotes, as JSON writes it
string JsonText(const string text)
  {
   string out="";
   int length=StringLen(text);
   for(int i=0; i<length; i++)
     {
      ushort c=StringGetCharacter(text,i);
      if(c=='"' || c=='\\')
         out+="\\"+ShortToString(c);
      else
         if(c<32 || (c>=127 && c<160))
            out+=" ";
         else
            out+=ShortToString(c);
     }
   return("\""+out+"\"");
  }

//--- YYYY-MM-DD HH:mm:ss, with milliseconds where they are known (not negative)
string JsonTime(const datetime time,const int milliseconds=-1)
  {
   string text=TimeToString(time,TIME_DATE|TIME_SECONDS);
   StringReplace(text,".","-");
   if(milliseconds>=0)
      text+=StringFormat(".%03d",milliseconds);
   return("\""+text+"\"");
  }

string JsonNumber(const double value)
  {
   return(DoubleToString(value,8));
  }

//--- Sends lines (NDJSON). The status of the answer; -1 when there was none
int PostLines(const string url,const string token,const string body)
  {
   char data[];
   char answer[];
   string answerHeaders;
   int size=StringToCharArray(body,data,0,WHOLE_ARRAY,CP_UTF8);
   if(size>0 && data[size-1]==0)
      ArrayResize(data,size-1);
   string headers="Content-Type: application/x-ndjson\r\nauth-token: "+token+"\r\n";
   ResetLastError();
   int status=WebRequest("POST",url,headers,PLIMSOLL_TIMEOUT_MS,data,answer,answerHeaders);
   if(status==-1)
      PrintFormat("Plimsoll: no answer, error %d. Is %s in the list of allowed URLs?",GetLastError(),url);
   else
      if(status!=200)
         PrintFormat("Plimsoll: %d %s",status,CharArrayToString(answer,0,300,CP_UTF8));
   return(status);
  }

//--- One line of a file; empty when there is no file
string ReadLine(const string name)
  {
   int file=FileOpen(name,FILE_READ|FILE_TXT|FILE_ANSI,'\t',CP_UTF8);
   if(file==INVALID_HANDLE)
      return("");
   string line=FileIsEnding(file) ? "" : FileReadString(file);
   FileClose(file);
   return(line);
  }

//--- Replaces a file as a whole: the old one stays until the new one is complete
bool WriteLines(const string name,const string &lines[],const int count)
  {
   int file=FileOpen(name+".new",FILE_WRITE|FILE_TXT|FILE_ANSI,'\t',CP_UTF8);
   if(file==INVALID_HANDLE)
      return(false);
   for(int i=0; i<count; i++)
      FileWriteString(file,lines[i]+"\r\n");
   FileClose(file);
   return(FileMove(name+".new",0,name,FILE_REWRITE));
  }

bool WriteLine(const string name,const string line)
  {
   string lines[1];
   lines[0]=line;
   return(WriteLines(name,lines,1));
  }

//--- Lines that wait until the server has taken them, in order. Each knows the cursor of the deals
//--- that are behind it, so that the cursor on disk only passes deals that the server has.
class PlimsollQueue
  {
private:
   string            m_url;
   string            m_token;
   string            m_name;
   string            m_lines[];
   string            m_cursors[];
   int               m_count;
   int               m_batch;
   int               m_pause;
   datetime          m_nextTry;
   datetime          m_savedAt;

   void              DropFirst(const int count)
     {
      for(int i=count; i<m_count; i++)
        {
         m_lines[i-count]=m_lines[i];
         m_cursors[i-count]=m_cursors[i];
        }
      m_count-=count;
     }

   void              Later(void)
     {
      m_pause=(int)MathMin(PLIMSOLL_MAX_PAUSE,MathMax(1,m_pause*2));
      m_nextTry=TimeLocal()+m_pause;
     }

public:
                     PlimsollQueue(void) : m_count(0),m_batch(PLIMSOLL_MAX_BATCH),m_pause(0),m_nextTry(0),m_savedAt(0) {}

   void              Open(const string url,const string token,const string name)
     {
      m_url=url;
      m_token=token;
      m_name=name;
      ArrayResize(m_lines,PLIMSOLL_MAX_LINES);
      ArrayResize(m_cursors,PLIMSOLL_MAX_LINES);
      m_count=0;
      int file=FileOpen(Name("queue"),FILE_READ|FILE_TXT|FILE_ANSI,'\t',CP_UTF8);
      if(file==INVALID_HANDLE)
         return;
      while(!FileIsEnding(file) && m_count<PLIMSOLL_MAX_LINES)
        {
         string line=FileReadString(file);
         if(StringLen(line)<2)
            continue;
         m_lines[m_count]=line;
         m_cursors[m_count]="";
         m_count++;
        }
      FileClose(file);
     }

   string            Name(const string kind) { return("plimsoll-"+m_name+"."+kind); }
   string            Cursor(void) { return(ReadLine(Name("cursor"))); }
   bool              SaveCursor(const string cursor) { return(WriteLine(Name("cursor"),cursor)); }
   int               Count(void) { return(m_count); }
   bool              Resting(void) { return(TimeLocal()<m_nextTry); }

   //--- False when the queue was full: its older half is gone and deals must be read from Cursor()
   bool              Add(const string line,const string cursor)
     {
      bool roomy=(m_count<PLIMSOLL_MAX_LINES);
      if(!roomy)
         DropFirst(PLIMSOLL_MAX_LINES/2);
      m_lines[m_count]=line;
      m_cursors[m_count]=roomy ? cursor : "";
      m_count++;
      return(roomy);
     }

   //--- Sends one batch, unless it is time to wait
   void              Flush(void)
     {
      if(m_count==0 || Resting())
         return;
      int count=MathMin(m_batch,m_count);
      string body="";
      for(int i=0; i<count; i++)
         body+=m_lines[i]+"\n";
      int status=PostLines(m_url+"/users/current/snapshots",m_token,body);
      if(status==200)
        {
         string cursor="";
         for(int i=0; i<count; i++)
            if(m_cursors[i]!="")
               cursor=m_cursors[i];
         DropFirst(count);
         if(cursor!="")
            SaveCursor(cursor);
         m_pause=0;
         m_batch=MathMin(PLIMSOLL_MAX_BATCH,m_batch*2);
         if(m_count==0)
            FileDelete(Name("queue"));
         return;
        }
      if(status==400 || status==413)
        {
         //--- One bad line refuses all: find it by smaller batches and put it aside
         if(count>1)
            m_batch=MathMax(1,count/2);
         else
           {
            WriteLine(Name("refused"),m_lines[0]);
            DropFirst(1);
           }
         return;
        }
      Later();
      if(TimeLocal()-m_savedAt>=PLIMSOLL_SAVE_EVERY)
         Save();
     }

   //--- Sends deals without a snapshot: history from before the first one
   bool              SendDeals(const string accountId,const string body)
     {
      if(Resting())
         return(false);
      if(PostLines(m_url+"/users/current/accounts/"+accountId+"/deals",m_token,body)==200)
        {
         m_pause=0;
         return(true);
        }
      Later();
      return(false);
     }

   void              Save(void)
     {
      m_savedAt=TimeLocal();
      if(m_count>0)
         WriteLines(Name("queue"),m_lines,m_count);
     }
  };
//+------------------------------------------------------------------+
